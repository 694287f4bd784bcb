import { createScriptedAgent, isClientError } from "@colloquy/client";
import {
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_INVITE,
  EV_TEXT,
  type NotifyFrame,
} from "@colloquy/protocol";
import {
  createFakeClock,
  createRecordingLogger,
  type FakeClock,
  faultyLink,
  settle,
  until,
} from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { joinBare } from "../fixtures/bare-member.js";
import { startGate } from "../fixtures/gate.js";
import {
  SURROUNDINGS,
  startTestNetwork,
  type TestNetwork,
  TRANSPORTS,
} from "../fixtures/test-network.js";

const HOUR_MS = 3_600_000;
const idsOf = (notifies: readonly NotifyFrame[]) => notifies.map((n) => n.envelope.envelope_id);

/** Lets time pass in steps that leave real traffic room, until something is so. */
async function passUntil(clock: FakeClock, isSo: () => boolean | Promise<boolean>): Promise<void> {
  await until(async () => {
    await clock.advanceAsync(1_000);
    return isSo();
  });
}

describe.each(SURROUNDINGS)("positions, $transport, $store", (surroundings) => {
  it("F-063 one that cannot be honoured gives all that is not acknowledged, once", async () => {
    await using network = await startTestNetwork(surroundings);
    const ada = await network.human("ada");
    using bob = await joinBare(network, "bob");
    const open = async () => {
      const opening = ada.open({ type: "conversation", target: "bob" });
      await bob.accept();
      return (await opening).channelId;
    };
    const [here, elsewhere] = [await open(), await open()];
    const older = await ada.say(here, "acknowledged");
    const other = await ada.say(elsewhere, "acknowledged");
    await bob.bare.notified(other);
    await bob.ackAll();
    await bob.leave();
    const missed = [await ada.say(here, "1"), await ada.say(here, "2")];
    const positions = {
      "older than what is kept": "0".repeat(32),
      "never issued": "no such id",
      "beyond the newest entry": "f".repeat(32),
      "taken from another channel": other,
    };
    for (const since of Object.values(positions)) {
      const bare = await bob.comeBack(since);
      expect(idsOf(bare.notifies)).toEqual(missed);
      const live = await ada.say(here, "live");
      const notify = await bare.notified(live);
      await bare.barrier();
      expect(idsOf(bare.notifies)).toEqual([...missed, live]);
      expect(bare.frames.filter(({ kind }) => kind === "welcome")).toHaveLength(1);
      bob.ack(notify);
      await bob.bare.barrier();
      await bob.leave();
    }
    const bare = await bob.comeBack(older);
    expect(idsOf(bare.notifies)).toEqual(missed);
  });

  it("F-064 each catches up on its own channels and on what it may see", async () => {
    await using network = await startTestNetwork(surroundings);
    const carl = await network.human("carl");
    using ada = await joinBare(network, "ada");
    using bob = await joinBare(network, "bob");
    const open = async (members: (typeof ada)[], names: string[]) => {
      const opening = carl.open({ type: "discussion", target: names });
      for (const member of members) await member.accept();
      return (await opening).channelId;
    };
    const one = await open([ada], ["ada"]);
    const two = await open([ada, bob], ["ada", "bob"]);
    const three = await open([bob], ["bob"]);
    const note = (channel_id: string, audience: string[] | null = null) =>
      carl.send({ channel_id, event_type: "app.note", event_data: {}, audience });
    const seen = await note(one);
    await ada.bare.notified(seen);
    await ada.ackAll();
    await bob.bare.notified(await note(three));
    await bob.ackAll();
    await Promise.all([ada.leave(), bob.leave()]);

    const posted = {
      one: await note(one),
      two: await note(two),
      forBob: await note(two, [bob.agentId]),
      three: await note(three),
      twoAgain: await note(two),
    };
    // A's newest position is one of channel 1; B's lies in channel 3, above all of channel 2.
    const forAda = idsOf((await ada.comeBack(seen)).notifies);
    const forBob = idsOf((await bob.comeBack(posted.three)).notifies);
    const byId = (ids: string[]) => [...ids].sort();
    expect(byId(forAda)).toEqual(byId([posted.one, posted.two, posted.twoAgain]));
    expect(byId(forBob)).toEqual(byId([posted.two, posted.forBob, posted.twoAgain]));
    const inTwo = (ids: string[]) => ids.filter((id) => id !== posted.one);
    expect(inTwo(forAda)).toEqual([posted.two, posted.twoAgain]);
    expect(forBob).toEqual([posted.two, posted.forBob, posted.twoAgain]);
  });

  it("F-066 after a restart only what is new is handed out", async () => {
    await using network = await startTestNetwork({
      ...surroundings,
      client: { reconnect: { baseMs: 1, maxMs: 1 } },
    });
    const ada = await network.human("ada");
    const handled: unknown[] = [];
    const bob = await network.ackOnly("bob");
    const accept = bob.defaultHandler;
    bob.onEnvelope(async (envelope, ...rest) => {
      if (envelope.event_type === EV_TEXT) handled.push(envelope.event_data["text"]);
      else await accept(envelope, ...rest);
    });
    const { channelId } = await ada.open({ type: "conversation", target: "bob" });
    let newest = "";
    for (let n = 1; n <= 7; n += 1) newest = await ada.say(channelId, `${n}`);
    await until(() => network.hub.inboxCursor(bob.agentId, channelId) === newest);
    await network.reopen();
    const eight = await ada.say(channelId, "8");
    await until(() => network.hub.inboxCursor(bob.agentId, channelId) === eight);
    expect(handled).toEqual(["1", "2", "3", "4", "5", "6", "7", "8"]);
    expect(network.hub.health().pending_inbox_total).toBe(0);
  });
});

/** A question to B, who answers it while the asker's link is down. */
async function askAndDrop(network: TestNetwork, clock: FakeClock, timeoutMs?: number) {
  const link = faultyLink(network.link());
  const on = network.connect({ link, clock, heartbeatMs: 0 });
  const { client: ada } = await network.agent("ada", [], { on });
  let answer: () => void = () => undefined;
  const bob = await network.agent("bob", async () => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return "42";
  });
  const asking = ada.consult("bob", "how much?", { timeoutMs }).then(
    (text) => text,
    (error: unknown) => (isClientError(error) ? error.code : String(error)),
  );
  await until(() => bob.script.turns.length === 1);
  link.refuse(1_000_000);
  link.cut();
  answer();
  const closed = () => network.hub.listChannels({ states: ["closed"] });
  await until(async () => (await closed()).length === 1);
  const [channel] = await closed();
  return { ada, link, asking, channelId: channel?.channel_id ?? "" };
}

const ending = (wal: readonly Envelope[]) =>
  wal.slice(-2).map(({ event_data }) => event_data["text"] ?? event_data["reason"]);
const ENDING = ["42", "consulting_complete"];

describe.each(SURROUNDINGS)("an answer to who is away, $transport, $store", (surroundings) => {
  it.each([
    ["the hub goes on", false],
    ["the hub is restarted", true],
  ])("F-065 is there when the asker comes back after an hour, and %s", async (_how, restarts) => {
    const clock = createFakeClock();
    await using network = await startTestNetwork({ ...surroundings, hub: { clock } });
    const patient = await askAndDrop(network, clock, 2 * HOUR_MS);
    if (restarts) await network.reopen();
    await clock.advanceAsync(HOUR_MS);
    patient.link.allow();
    let told: string | null = null;
    void patient.asking.then((text) => {
      told = text;
    });
    await passUntil(clock, () => told !== null);
    expect(told).toBe("42");
    const { ada, channelId } = patient;
    expect(ending(await ada.hub.readWal(channelId))).toEqual(ENDING);
    expect(await ada.hub.getChannel(channelId)).toMatchObject({
      ...{ state: "closed", close_reason: "consulting_complete" },
    });
  });

  it("F-065 is not waited for without end, and can be had all the same", async () => {
    const clock = createFakeClock();
    await using network = await startTestNetwork({ ...surroundings, hub: { clock } });
    const { asking, ada, channelId } = await askAndDrop(network, clock);
    let told: string | null = null;
    void asking.then((text) => {
      told = text;
    });
    await clock.advanceAsync(299_000);
    expect(told).toBeNull();
    await clock.advanceAsync(1_000);
    await clock.advanceAsync(30_000);
    await until(() => told);
    expect(told).toBe("client/timed_out");
    await ada.hub.close();
    await clock.advanceAsync(HOUR_MS);
    await network.reopen();

    const caughtUp: Envelope[] = [];
    const again = await network.connect().attach(createScriptedAgent("ada"), "ada", {
      onEnvelope: (envelope) => void caughtUp.push(envelope),
    });
    await until(() => caughtUp.some(({ event_type }) => event_type === EV_CHANNEL_CLOSED));
    expect(ending(caughtUp)).toEqual(ENDING);
    expect(ending(await again.hub.readWal(channelId))).toEqual(ENDING);
  });
});

describe.each(TRANSPORTS)("two connections for one agent over %s", (transport) => {
  it("F-069 that both fight back swap within a bound, and others on them are left alone", async () => {
    const clock = createFakeClock();
    const hub = { clock, limits: { maxSwapsPerMinute: 4 } };
    await using network = await startTestNetwork({ transport, hub });
    using ada = await joinBare(network, "ada");
    const first = ada.bare;
    const params = { passport: { name: "bob" }, resume: {} };
    const { result } = await first.request("register", params);
    const bob = (result as { agent_id: string }).agent_id;
    const second = await ada.comeBack("");
    const replaced = await until(() => first.frames.find(({ kind }) => kind === "hint"));
    expect(replaced).toMatchObject({ hint: "replaced", agent_id: ada.agentId });

    const outcomes: string[] = [];
    for (let n = 0; n < 10; n += 1) {
      const answer = await [first, second][n % 2]?.hello("ada", { since_envelope_id: "" });
      outcomes.push(answer?.kind === "error" ? answer.code : (answer?.kind ?? ""));
    }
    const refused = outcomes.filter((outcome) => outcome === "rate_limited");
    expect(refused.length).toBeGreaterThanOrEqual(3);
    expect(outcomes.lastIndexOf("rate_limited")).toBeGreaterThan(7);
    const own = { agent_id: bob };
    expect(await first.request("pending_turns_for", own)).toMatchObject({ ok: true });
    await clock.advanceAsync(60_000);
    expect(await first.hello("ada")).toMatchObject({ kind: "welcome" });
    second.close();
  });
});

describe("a hub that cannot take clients", () => {
  it("F-073 answers 503 for minutes: the client backs off, goes on and reports no refusal", async () => {
    await using network = await startTestNetwork({ transport: "ws" });
    await using gate = await startGate(network.url);
    const clock = createFakeClock();
    const logger = createRecordingLogger();
    const options = { clock, logger, heartbeatMs: 0, random: () => 0.999 };
    const on = network.connect({ ...options, link: gate.link });
    const ada = await network.human("ada", { on });
    const bob = await network.human("bob");
    const { channelId } = await bob.open({ type: "conversation", target: "ada" });

    gate.refuse();
    const dials = gate.refused;
    await until(() => network.hub.health().connections === 1);
    await bob.say(channelId, "still there?");
    // One dial after the other: each waits for its answer, and longer than the one before it.
    for (let second = 0; second < 300; second += 1) {
      await clock.advanceAsync(1_000);
      await settle();
    }
    await until(() => gate.refused - dials >= 3);
    expect(gate.refused - dials).toBeLessThan(25);
    expect(ada.status).toBe("active");

    gate.allow();
    const isText = ({ event_type }: Envelope) => event_type === EV_TEXT;
    const inbox = ada.channelInbox(channelId);
    await passUntil(clock, () => inbox.peek().some(isText));
    expect(ada.status).toBe("active");
    expect(logger.at("error")).toEqual([]);
    expect(JSON.stringify(logger.lines)).not.toMatch(/auth/i);
  });

  it("F-075 a member whose buffer ran over finds its invitation when it is back", async () => {
    const limits = { maxBufferedBytes: 2 * 1_024 * 1_024 };
    await using network = await startTestNetwork({ transport: "ws", hub: { limits } });
    const ada = await network.human("ada");
    await using gate = await startGate(network.url);
    const rule = { limits: { inbox: { max_pending: 0 } } };
    const on = network.connect({ link: gate.link, reconnect: { baseMs: 1, maxMs: 1 } });
    const bob = await network.human("bob", { on, rule, autoAcceptInvites: false });
    const opening = ada.open({ type: "conversation", target: "bob" });
    const isInvite = ({ event_type }: Envelope) => event_type === EV_CHANNEL_INVITE;
    await bob.acceptInvite(await bob.nextEnvelope(isInvite, 5_000));
    const { channelId } = await opening;
    gate.stall();
    const stateOf = (id: string) => network.hub.ledger(channelId, id)[0]?.state;
    let said = await ada.say(channelId, "x".repeat(500_000));
    for (let n = 0; stateOf(said) !== "queued"; n += 1) {
      expect(n).toBeLessThan(100);
      said = await ada.say(channelId, "x".repeat(500_000));
    }
    const invited = ada.open({ type: "conversation", target: "bob" });
    await until(async () => (await network.hub.listChannels({ states: ["pending"] })).length === 1);
    gate.allow();
    await bob.acceptInvite(await bob.nextEnvelope(isInvite, 10_000));
    expect((await invited).state).toBe("active");
  });
});
