import { createScriptedAgent, type HumanClient } from "@colloquy/client";
import { createApiKeyAuth } from "@colloquy/hub";
import { AuthError, EV_CHANNEL_INVITE, EV_TEXT } from "@colloquy/protocol";
import { createFakeClock, type FaultyLink, faultyLink, settle, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { connectBare } from "../fixtures/bare-link.js";
import { startTestNetwork, type TestNetwork, TRANSPORTS } from "../fixtures/test-network.js";

/** Reconnects at once, so that a test need not wait. */
const AT_ONCE = { baseMs: 1, maxMs: 1 };

/** A person whose link a test commands, who writes down the texts that arrive. */
async function listener(network: TestNetwork, name: string) {
  const link = faultyLink(network.link());
  const client = network.connect({ link, reconnect: AT_ONCE });
  const heard: string[] = [];
  const human = await network.human(name, {
    on: client,
    onEnvelope(envelope) {
      if (envelope.event_type === EV_TEXT) heard.push(String(envelope.event_data["text"]));
    },
  });
  return { human, link, heard, client };
}

/** Keeps a link down while something happens. */
async function whileDown(link: FaultyLink, work: () => Promise<unknown>): Promise<void> {
  link.refuse(1_000);
  link.cut();
  await work();
  link.allow();
}

async function conversation(network: TestNetwork, to: HumanClient) {
  const speaker = await network.human("speaker");
  const { channelId } = await speaker.open({ type: "conversation", target: to.name });
  return { channelId, say: (text: string) => speaker.say(channelId, text), speaker };
}

describe.each(TRANSPORTS)("breaks over %s", (transport) => {
  it("F-059 a thousand pairs of requests with the same numbers meet their own answers", async () => {
    await using network = await startTestNetwork({ transport });
    await Promise.all([network.ackOnly("ada"), network.ackOnly("bob")]);
    const shared = network.link();
    for (let batch = 0; batch < 20; batch += 1) {
      const pairs = Array.from({ length: 50 }, () => [
        network.connect({ link: shared }),
        network.connect({ link: shared }),
      ]);
      const found = await Promise.all(
        pairs.map(([one, other]) => Promise.all([one?.getAgent("ada"), other?.getAgent("bob")])),
      );
      expect(found.every(([one, other]) => one?.name === "ada" && other?.name === "bob")).toBe(
        true,
      );
      await Promise.all(pairs.flat().map((client) => client.close()));
    }
  });

  it("F-061 what came while an agent was away follows once and in order, without gap or overlap", async () => {
    await using network = await startTestNetwork({ transport });
    const { human, link, heard } = await listener(network, "hugo");
    const { say } = await conversation(network, human);
    for (const text of ["1", "2", "3", "4"]) await say(text);
    await until(() => heard.length === 4);
    await whileDown(link, async () => {
      for (const text of ["5", "6", "7"]) await say(text);
    });
    await Promise.all([say("8"), say("9"), say("10")]);
    await until(() => heard.length === 10);
    await say("11");
    await until(() => heard.includes("11"));
    expect(heard).toEqual(Array.from({ length: 11 }, (_, index) => String(index + 1)));

    await human.hub.close();
    for (const text of ["12", "13"]) await say(text);
    const later: string[] = [];
    await network.connect().attachHuman("hugo", {
      onEnvelope: ({ event_data }) => void later.push(String(event_data["text"])),
    });
    await say("14");
    await until(() => later.includes("14"));
    expect(later).toEqual(["12", "13", "14"]);
  });

  it("F-062 five breaks in a row lose nothing and double nothing", async () => {
    await using network = await startTestNetwork({ transport });
    const { human, link, heard } = await listener(network, "hugo");
    const { say } = await conversation(network, human);
    for (const text of ["1", "2", "3", "4", "5"]) {
      await whileDown(link, () => say(text));
      await until(() => heard.includes(text));
    }
    expect(heard).toEqual(["1", "2", "3", "4", "5"]);
  });

  it("F-068 an envelope that is delivered twice is answered once, however that comes about", async () => {
    await using network = await startTestNetwork({ transport });
    const link = faultyLink(network.link());
    const on = network.connect({ link, reconnect: AT_ONCE });
    let asked = 0;
    const script = () => {
      asked += 1;
      return `answer ${asked}`;
    };
    const first = await network.agent("ada", script, { on });
    const human = await network.human("hugo");
    const { channelId } = await human.open({ type: "conversation", target: "ada" });
    const answersTo = async (id: string) =>
      (await network.wal(channelId)).filter((envelope) => envelope.causation_id === id);
    const isReceiptOf = (id: string) => (frame: { kind: string }) =>
      JSON.stringify(frame).includes(id) && frame.kind.startsWith("receipt");

    link.drop("to_hub", 1, ({ kind }) => kind === "receipts");
    const lost = await human.say(channelId, "the receipt gets lost");
    await until(async () => (await answersTo(lost)).length === 1);
    link.cut();
    await until(() => network.hub.inboxCursor(first.client.agentId, channelId) === lost);
    expect(await answersTo(lost)).toHaveLength(1);

    const answered = await human.say(channelId, "stopped between answer and receipt");
    link.drop("to_hub", 1, isReceiptOf(answered));
    await until(async () => (await answersTo(answered)).length === 1);
    await on.close();
    const again = createScriptedAgent("ada", script);
    const second = network.connect();
    await second.attach(again, "ada");
    await until(() => network.hub.inboxCursor(first.client.agentId, channelId) === answered);
    expect(await answersTo(answered)).toHaveLength(1);
    expect(again.turns).toHaveLength(0);

    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await second.close();
    const slow = () => held.then(script);
    const [one, two] = [createScriptedAgent("ada", slow), createScriptedAgent("ada", slow)];
    await network.connect().attach(one, "ada");
    const both = await human.say(channelId, "two processes at once");
    await until(() => one.turns.length === 1);
    await network.connect().attach(two, "ada");
    await until(() => two.turns.length === 1);
    release();
    await until(async () => (await answersTo(both)).length === 1);
    await until(() => network.hub.inboxCursor(first.client.agentId, channelId) === both);
    await settle(20);
    expect(await answersTo(both)).toHaveLength(1);
  });

  it("F-069 the newest connection gets the agent, the older one learns of it and does not fight back", async () => {
    await using network = await startTestNetwork({ transport });
    const [older, newer] = [network.connect(), network.connect()];
    const ada = await network.agent("ada", () => "older", { on: older });
    const bob = await network.agent("bob", () => "bob", { on: older });
    const bound: unknown[] = [];
    network.hub.addListener({ onAgentEvent: (_id, kind) => kind === "bound" && bound.push(kind) });
    const next = await newer.attach(
      createScriptedAgent("ada", () => "newer"),
      "ada",
    );
    expect((await ada.client.stopped).reason).toBe("replaced");
    expect(next.agentId).toBe(ada.client.agentId);

    const human = await network.human("hugo");
    const channel = await human.open({ type: "discussion", target: ["ada", "bob"] });
    await channel.send("who is there?");
    await until(async () => (await network.texts(channel.channelId)).length === 3);
    expect(await network.texts(channel.channelId)).toEqual(["who is there?", "newer", "bob"]);
    expect(ada.script.turns).toHaveLength(0);
    expect(bob.client.status).toBe("active");
    await expect(ada.client.open({ type: "conversation", target: "bob" })).rejects.toThrow(
      "disconnected (replaced)",
    );
    await settle(50);
    expect(bound.length).toBeLessThanOrEqual(2);
    expect(next.status).toBe("active");
  });

  it("F-070 an agent that crashed comes back as itself, and a stranger does not get its name", async () => {
    await using network = await startTestNetwork({
      transport,
      hub: { authenticators: [createApiKeyAuth({ keys: { ada: "secret", hugo: "other" } })] },
    });
    const passport = (name: string, token: string) => ({
      name,
      auth: { scheme: "api_key", claim: { token } },
    });
    const link = faultyLink(network.link());
    const crashing = network.connect({ link, reconnect: false });
    const script = createScriptedAgent("ada", ["hello again"]);
    const ada = await crashing.register(script, { passport: passport("ada", "secret") });
    const hugo = await network.connect().registerHuman(passport("hugo", "other"));
    const channel = await hugo.open({ type: "conversation", target: "ada" });
    link.cut();
    await crashing.closed;
    await channel.send("are you there?");

    const settings = { passport: passport("ada", "secret") };
    const back = await network.connect().attach(script, "ada", settings);
    expect(back.agentId).toBe(ada.agentId);
    await until(async () => (await network.texts(channel.channelId)).length === 2);
    expect(await network.texts(channel.channelId)).toEqual(["are you there?", "hello again"]);

    const guess = { passport: passport("ada", "guess") };
    const other = createScriptedAgent("ada", []);
    await expect(network.connect().attach(other, "ada", guess)).rejects.toBeInstanceOf(AuthError);
    await expect(network.connect().register(other, guess)).rejects.toThrow();
    const names = (await network.hub.listAgents()).map(({ name }) => name);
    expect(names.sort()).toEqual(["ada", "hugo"]);
    expect((await network.hub.getAgent("ada")).agent_id).toBe(ada.agentId);
    expect(back.status).toBe("active");
  });

  it("F-075 an invitation waits for who is away, and one that ran out fails for both", async () => {
    const clock = createFakeClock();
    await using network = await startTestNetwork({ transport, hub: { clock } });
    const { human, link } = await listener(network, "hugo");
    const ada = await network.human("ada");
    let opening = Promise.resolve("");
    await whileDown(link, async () => {
      await until(() => link.open === 0);
      opening = ada.open({ type: "conversation", target: "hugo" }).then((c) => c.channelId);
      await until(async () => (await network.hub.listChannels()).length === 1);
    });
    const channelId = await opening;
    expect((await network.hub.getChannel(channelId)).state).toBe("active");
    await until(() => human.channelInbox(channelId).peek().length > 0);

    let failed: unknown = null;
    await whileDown(link, async () => {
      await until(() => link.open === 0);
      ada.open({ type: "conversation", target: "hugo" }).catch((error: unknown) => {
        failed = error;
      });
      await until(
        async () => (await network.hub.listChannels({ states: ["pending"] })).length === 1,
      );
      await clock.advanceAsync(30_000);
      await until(() => failed);
    });
    expect(failed).toMatchObject({ code: "protocol_error", message: /ack timeout/ });
    await until(() => link.open === 1);
    expect(await human.hub.listChannels({ agent_id: human.agentId })).toHaveLength(1);
  });

  it("F-076 an answer is posted once over the new link, and its turn is not run again", async () => {
    await using network = await startTestNetwork({ transport });
    const link = faultyLink(network.link());
    const on = network.connect({ link, reconnect: AT_ONCE, requestTimeoutMs: 200 });
    const gates: (() => void)[] = [];
    const signals: AbortSignal[] = [];
    const { script } = await network.agent(
      "ada",
      async ({ input, signal }) => {
        signals.push(signal);
        await new Promise<void>((resolve) => gates.push(resolve));
        return `answer to ${String(input)}`;
      },
      { on },
    );
    const human = await network.human("hugo");
    const { channelId } = await human.open({ type: "conversation", target: "ada" });

    await human.say(channelId, "one");
    await until(() => gates.length === 1);
    await whileDown(link, () => until(() => link.open === 0));
    await until(() => link.open === 1);
    gates[0]?.();
    await until(async () => (await network.texts(channelId)).length === 2);

    await human.say(channelId, "two");
    await until(() => gates.length === 2);
    await whileDown(link, async () => {
      await until(() => link.open === 0);
      gates[1]?.();
      const patience = performance.now() + 400;
      await until(() => performance.now() > patience);
    });
    await until(async () => (await network.texts(channelId)).length === 4);
    await settle(20);
    expect(await network.texts(channelId)).toEqual([
      ...["one", "answer to one"],
      ...["two", "answer to two"],
    ]);
    expect(script.turns).toHaveLength(2);
    expect(signals.some(({ aborted }) => aborted)).toBe(false);
  });

  it("F-077 an early receipt of a later envelope hides no earlier one", async () => {
    await using network = await startTestNetwork({ transport });
    const raw = await connectBare(network.link());
    const registered = await raw.request("register", {
      passport: { name: "ada" },
      resume: {},
    });
    const { agent_id } = registered.result as { agent_id: string };
    const human = await network.human("hugo");
    const opening = human.open({ type: "conversation", target: "ada" });
    const invite = await until(() =>
      raw.notifies.find(({ envelope }) => envelope.event_type === EV_CHANNEL_INVITE),
    );
    const { channel_id } = invite.envelope;
    await raw.post({
      ...{ channel_id, sender_id: agent_id, event_type: "ag2.channel.invite.ack" },
      event_data: { channel_id },
    });
    await opening;
    for (const { envelope } of raw.notifies) {
      raw.receipt({ ...receiptFor(envelope), recipient_id: agent_id });
    }
    const five = await human.say(channel_id, "5");
    const six = await human.say(channel_id, "6");
    await raw.notified(six);
    await raw.post({
      ...{ channel_id, sender_id: agent_id, event_type: EV_TEXT, causation_id: six },
      event_data: { text: "answer to 6" },
    });
    raw.receipt({ envelope_id: six, status: "ack", recipient_id: agent_id, channel_id });
    await raw.barrier();
    raw.close();

    const again = createScriptedAgent("ada", ({ input }) => `answer to ${String(input)}`);
    await network.connect().attach(again, "ada");
    await until(async () => (await network.texts(channel_id)).length === 4);
    await settle(20);
    expect(await network.texts(channel_id)).toEqual(["5", "6", "answer to 6", "answer to 5"]);
    expect(again.turns.map(({ envelope }) => envelope.envelope_id)).toEqual([five]);
  });
});

function receiptFor({ envelope_id, channel_id }: { envelope_id: string; channel_id: string }) {
  return { envelope_id, channel_id, status: "ack" as const };
}
