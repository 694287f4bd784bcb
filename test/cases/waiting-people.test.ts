import { type Envelope, EV_CHANNEL_CLOSED, EV_TEXT } from "@colloquy/protocol";
import { createFakeClock, settle, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { SURROUNDINGS, startTestNetwork, type TestNetwork } from "../fixtures/test-network.js";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const isText = ({ event_type }: Envelope): boolean => event_type === EV_TEXT;

/** How a question came out: the answer, or the code of the error. */
function outcome(question: Promise<string>): Promise<string> {
  return question.catch((error: { readonly code?: unknown }) => String(error.code));
}

/** A person who settles by hand what was dealt with, on a page of its own. */
function openPage(network: TestNetwork) {
  return network.connect().attachHuman("hugo", {
    ...{ receipts: "by_hand", passport: { name: "hugo" }, resume: {} },
  });
}

describe("a person who is asked, over a link in one process", () => {
  const start = async () => {
    const clock = createFakeClock();
    const network = await startTestNetwork({ store: "sqlite", hub: { clock }, client: { clock } });
    const ada = await network.ackOnly("ada");
    const hugo = await network.human("hugo");
    const pass = async (ms: number) => {
      await clock.advanceAsync(ms);
      await settle();
    };
    return { network, ada, hugo, pass };
  };

  it("F-137 may answer within the limit, and is told plainly once it has passed", async () => {
    const { network, ada, hugo, pass } = await start();
    await using _ = network;
    const timeoutMs = 30 * MINUTE_MS;
    const first = outcome(ada.consult("hugo", "May I?", { timeoutMs }));
    const { channel_id } = await hugo.nextEnvelope(isText);
    await pass(10 * MINUTE_MS);
    await hugo.say(channel_id, "yes");
    expect(await first).toBe("yes");

    const second = outcome(ada.consult("hugo", "And now?", { timeoutMs }));
    const late = await hugo.nextEnvelope(isText);
    await pass(31 * MINUTE_MS);
    expect(await second).toBe("client/timed_out");
    const closed = await hugo.nextEnvelope(
      (envelope) =>
        envelope.event_type === EV_CHANNEL_CLOSED && envelope.channel_id === late.channel_id,
    );
    expect(closed.event_data).toMatchObject({ reason: "timed_out" });
    await expect(hugo.say(late.channel_id, "yes")).rejects.toMatchObject({
      ...{ code: "protocol_error", message: `channel '${late.channel_id}' is closed: timed_out` },
      details: { state: "closed", reason: "timed_out" },
    });
    expect(hugo.outgoing).toMatchObject([
      { state: "failed", draft: { event_data: { text: "yes" } } },
    ]);
    expect(await network.texts(late.channel_id)).toEqual(["And now?"]);
  });

  it("F-137 without a limit may answer after two days and a restart of the hub", async () => {
    const { network, ada, hugo, pass } = await start();
    await using _ = network;
    const question = outcome(ada.consult("hugo", "May I?", { timeoutMs: null }));
    const { channel_id } = await hugo.nextEnvelope(isText);
    await pass(DAY_MS);
    await network.reopen();
    await pass(DAY_MS);
    expect((await network.hub.getChannel(channel_id)).state).toBe("active");
    await hugo.say(channel_id, "yes");
    expect(await question).toBe("yes");
    expect(await network.texts(channel_id)).toEqual(["May I?", "yes"]);
  });

  it("a question with a long limit outlives what the rule gives its channels", async () => {
    const { network, ada, hugo, pass } = await start();
    await using _ = network;
    const question = outcome(ada.consult("hugo", "May I?", { timeoutMs: 5 * 60 * MINUTE_MS }));
    const { channel_id } = await hugo.nextEnvelope(isText);
    await pass(4 * 60 * MINUTE_MS);
    await hugo.say(channel_id, "yes");
    expect(await question).toBe("yes");
  });
});

describe.each(SURROUNDINGS)("a pending question over $transport on $store", (surroundings) => {
  it("F-140 comes again under the same id after restarts of hub and page, and is answered once", async () => {
    await using network = await startTestNetwork(surroundings);
    const ada = await network.ackOnly("ada");
    const page = await openPage(network);
    let resumed = 0;
    const question = ada.consult("hugo", "May I?", { timeoutMs: null }).then((answer) => {
      resumed += 1;
      return answer;
    });
    const shown = await page.nextEnvelope(isText);
    await page.hub.close();
    await network.reopen();
    const again = await openPage(network);
    const { envelope_id, channel_id } = await again.nextEnvelope(isText);
    expect(envelope_id).toBe(shown.envelope_id);
    await again.say(shown.channel_id, "yes", { causationId: shown.envelope_id });
    again.acknowledge(shown.envelope_id);
    expect(await question).toBe("yes");
    await until(async () => (await network.hub.getChannel(channel_id)).state === "closed");
    expect(await network.texts(channel_id)).toEqual(["May I?", "yes"]);
    expect(resumed).toBe(1);
  });

  it("F-141 comes to the newest page after three reloads, and one reader takes the answer", async () => {
    await using network = await startTestNetwork(surroundings);
    const ada = await network.ackOnly("ada");
    const pages = [await openPage(network)];
    const answers: string[] = [];
    const asked = ada.consult("hugo", "May I?").then((answer) => answers.push(answer));
    const first = await pages[0]?.nextEnvelope(isText);
    for (let reload = 1; reload <= 3; reload += 1) {
      const page = await openPage(network);
      pages.push(page);
      expect((await page.nextEnvelope(isText)).envelope_id).toBe(first?.envelope_id);
      await until(() => pages[reload - 1]?.status === "replaced");
      expect(answers).toEqual([]);
    }
    const channelId = first?.channel_id ?? "";
    const [oldest] = pages;
    await expect(oldest?.say(channelId, "no")).rejects.toMatchObject({
      code: "client/disconnected",
    });
    const newest = pages.at(-1);
    await newest?.say(channelId, "yes");
    await asked;
    expect(answers).toEqual(["yes"]);
    expect(await network.texts(channelId)).toEqual(["May I?", "yes"]);
    // Nobody else finds it in an inbox.
    expect(ada.hasChannelInbox(channelId)).toBe(false);
    const left = pages.map((page) => page.channelInbox(channelId).peek().filter(isText).length);
    expect(left).toEqual(pages.map(() => 1));
  });
});
