import { EV_TEXT } from "@colloquy/protocol";
import {
  createFakeClock,
  createRecordingLogger,
  faultyLink,
  settle,
  until,
} from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import {
  startTestNetwork,
  type TestNetwork,
  TRANSPORTS,
  textsOf,
} from "../fixtures/test-network.js";

/** A person in front of a screen whose network a test commands, talking to somebody. */
async function person(network: TestNetwork) {
  const clock = createFakeClock();
  const link = faultyLink({ ...network.link(), remote: true });
  const on = network.connect({ link, clock, heartbeatMs: 2_000, random: () => 0.5 });
  const human = await network.human("hugo", { on });
  const other = await network.human("ada");
  const { channelId } = await human.open({ type: "conversation", target: "ada" });
  return { clock, link, human, other, channelId, on };
}

/** Lets the fake time of one client pass in steps that leave real traffic room. */
async function pass(clock: ReturnType<typeof createFakeClock>, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 250) {
    await clock.advanceAsync(250);
    await settle();
  }
}

describe.each(TRANSPORTS)("a person over %s", (transport) => {
  it("F-146 a message is shown as not sent until the hub has it, and is admitted once", async () => {
    await using network = await startTestNetwork({ transport });
    const { clock, link, human, channelId } = await person(network);
    link.freeze();
    let sent = false;
    const sending = human.say(channelId, "hello?").then((id) => {
      sent = true;
      return id;
    });
    await pass(clock, 20_000);
    expect(sent).toBe(false);
    const [waiting] = human.outgoing;
    expect(waiting).toMatchObject({ state: "waiting", draft: { event_data: { text: "hello?" } } });
    expect(await network.texts(channelId)).toEqual([]);
    expect(link.dials).toBeGreaterThanOrEqual(2);

    link.thaw();
    await until(async () => {
      await pass(clock, 250);
      return sent;
    });
    expect(human.outgoing).toEqual([]);
    const texts = (await network.wal(channelId)).filter(
      (envelope) => envelope.event_type === EV_TEXT,
    );
    expect(texts.map(({ envelope_id, idempotency_key }) => [envelope_id, idempotency_key])).toEqual(
      [[await sending, waiting?.draft.idempotency_key]],
    );

    link.freeze();
    const failing = human.say(channelId, "lost?").catch((error: unknown) => error);
    await pass(clock, 31_000);
    expect(await failing).toMatchObject({
      code: "client/timed_out",
      details: { draft: { event_data: { text: "lost?" } } },
    });
    expect(human.outgoing).toMatchObject([
      {
        state: "failed",
        error: { code: "client/timed_out" },
        draft: { event_data: { text: "lost?" } },
      },
    ]);

    link.thaw();
    const key = human.outgoing[0]?.draft.idempotency_key ?? undefined;
    const again = human.say(channelId, "lost?", { idempotencyKey: key });
    await until(async () => {
      await pass(clock, 250);
      return human.outgoing.length === 0;
    });
    await again;
    expect(await network.texts(channelId)).toEqual(["hello?", "lost?"]);
  });

  it("F-145 a listener that throws and one that never ends hurt no other", async () => {
    await using network = await startTestNetwork({ transport });
    const logger = createRecordingLogger();
    const human = await network.human("hugo", { on: network.connect({ logger }) });
    const ada = await network.human("ada");
    const heard: unknown[] = [];
    human.onEnvelope(() => {
      throw new Error("broken screen");
    });
    human.onEnvelope(({ event_type, event_data }) => {
      if (event_type === EV_TEXT) heard.push(event_data["text"]);
    });
    human.onEnvelope(() => new Promise(() => undefined));
    const { channelId } = await ada.open({ type: "conversation", target: "hugo" });
    for (const text of ["1", "2", "3"]) await ada.say(channelId, text);
    await until(() => heard.length === 3);
    expect(heard).toEqual(["1", "2", "3"]);
    const errors = logger.lines.filter(({ level }) => level === "error");
    expect(errors[0]?.fields).toMatchObject({ error: "broken screen", agent_id: human.agentId });
    expect(human.status).toBe("active");
    expect(await human.say(channelId, "still here")).toEqual(expect.any(String));
  });

  it("receipts by hand: what was not settled comes again, what was does not", async () => {
    await using network = await startTestNetwork({ transport });
    const ada = await network.human("ada");
    const first = await network.human("hugo", { receipts: "by_hand" });
    const { channelId } = await ada.open({ type: "conversation", target: "hugo" });
    for (const text of ["1", "2"]) await ada.say(channelId, text);
    const isText = ({ event_type }: { event_type: string }) => event_type === EV_TEXT;
    const one = await first.nextEnvelope(isText);
    await first.nextEnvelope(isText);
    for (const { envelope_id } of first
      .channelInbox(channelId)
      .peek()
      .filter((e) => !isText(e))) {
      first.acknowledge(envelope_id);
    }
    expect(first.acknowledge(one.envelope_id)).toBe(true);
    expect(first.acknowledge(one.envelope_id)).toBe(false);
    await until(() => network.hub.inboxCursor(first.agentId, channelId) === one.envelope_id);
    await first.hub.close();

    const heard: unknown[] = [];
    await network.connect().attachHuman("hugo", {
      onEnvelope: ({ event_data }) => void heard.push(event_data["text"]),
    });
    await until(() => heard.length === 1);
    expect(heard).toEqual(["2"]);
  });

  it("misses the oldest when nobody reads, and knows how many", async () => {
    await using network = await startTestNetwork({ transport });
    const hugo = await network.human("hugo", { queueCapacity: 2 });
    const ada = await network.human("ada");
    const { channelId } = await ada.open({ type: "conversation", target: "hugo" });
    for (const text of ["1", "2", "3"]) await ada.say(channelId, text);
    await until(() => network.hub.health().pending_inbox_total === 0);
    expect(hugo.missed).toBeGreaterThanOrEqual(2);
    expect(textsOf([await hugo.nextEnvelope(), await hugo.nextEnvelope()])).toEqual(["2", "3"]);
    await expect(hugo.nextEnvelope(() => true, 5)).rejects.toMatchObject({
      code: "client/timed_out",
    });
  });

  it("whose identity was taken out of the registry elsewhere is simply gone", async () => {
    await using network = await startTestNetwork({ transport });
    const hugo = await network.human("hugo");
    await network.hub.unregister(hugo.agentId);
    await hugo.unregister();
    expect(hugo.status).toBe("unregistered");
    const again = await network.human("hugo");
    expect(again.agentId).not.toBe(hugo.agentId);
  });

  it("may decline an invitation", async () => {
    await using network = await startTestNetwork({ transport });
    const ada = await network.human("ada");
    const hugo = await network.human("hugo", { autoAcceptInvites: false });
    const opening = ada
      .open({ type: "conversation", target: "hugo" })
      .catch((error: Error) => error);
    await hugo.rejectInvite(await hugo.nextEnvelope(), "busy");
    expect(await opening).toMatchObject({ code: "protocol_error", message: /rejected/ });
    const second = ada.open({ type: "conversation", target: "hugo" });
    await hugo.acceptInvite(
      await hugo.nextEnvelope(({ event_type }) => event_type.endsWith("invite")),
    );
    expect((await second).state).toBe("active");
  });
});
