import { EV_CHANNEL_INVITE, EV_CHANNEL_INVITE_ACK, type Waiting } from "@colloquy/protocol";
import { settle } from "@colloquy/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { at, openWaitingNetwork } from "./waiting-network.js";

type Network = Awaited<ReturnType<typeof openWaitingNetwork>>;

let network: Network | null = null;

async function open(limits?: Parameters<typeof openWaitingNetwork>[0]): Promise<Network> {
  network = await openWaitingNetwork(limits);
  return network;
}

afterEach(async () => {
  await network?.end();
  network = null;
});

/** Everything of an answer but the channel, with names in place of those who are awaited. */
function shown({ sentence, cause, awaited, since, next }: Waiting) {
  return { sentence, cause, awaited: awaited.map(({ name }) => name), since, next };
}

const never = () => new Promise<void>(() => undefined);
const warned = (ms: number) => ({
  what: "'turn_within' is violated, and 'warn' follows,",
  at: at(ms),
});

/** A discussion in which alice has spoken, so that it is bob's turn since 1,000 ms. */
async function bobsTurn(net: Network, script?: Parameters<Network["join"]>[1]) {
  const alice = await net.join("alice");
  const member = await net.join("bob", script);
  const channel = await alice.open({ type: "discussion", target: "bob" });
  await net.clock.advanceAsync(1_000);
  await channel.send("what do you say?");
  await settle();
  return { alice, bob: member, channel, id: channel.channelId };
}

describe("a channel says what it waits for", () => {
  it("an invitee that is silent", async () => {
    const net = await open();
    const alice = await net.join("alice");
    await net.join("bob", undefined, { onEnvelope: never });
    const opening = alice.open({ type: "conversation", target: "bob" });
    opening.catch(() => undefined);
    await settle();
    const [metadata] = await net.hub.listChannels();
    await net.clock.advanceAsync(2_000);
    expect(shown(await net.why(metadata?.channel_id ?? ""))).toEqual({
      sentence: `Waiting since ${at(0)} for bob to accept the invitation; the opening fails at ${at(30_000)}.`,
      cause: "invitee_silent",
      awaited: ["bob"],
      since: at(0),
      next: { what: "the opening fails", at: at(30_000) },
    });
  });

  it("a quorum that is short", async () => {
    const net = await open();
    const alice = await net.join("alice");
    await net.join("bob");
    for (const name of ["carol", "dan"]) await net.join(name, undefined, { onEnvelope: never });
    const opening = alice.open({
      type: "discussion",
      target: ["bob", "carol", "dan"],
      requiredAcks: 2,
    });
    opening.catch(() => undefined);
    await settle();
    const [metadata] = await net.hub.listChannels();
    expect(shown(await net.why(metadata?.channel_id ?? ""))).toEqual({
      sentence: `Waiting since ${at(0)} for 1 of carol and dan to accept the invitation; 1 of the 2 acceptances needed are there; the opening fails at ${at(30_000)}.`,
      cause: "quorum_short",
      awaited: ["carol", "dan"],
      since: at(0),
      next: { what: "the opening fails", at: at(30_000) },
    });
  });

  it("a turn that was taken up and is not answered", async () => {
    const net = await open();
    const { id, channel } = await bobsTurn(net);
    await net.clock.advanceAsync(5_000);
    const expected = {
      sentence: `Waiting since ${at(1_000)} for bob, who has taken the turn up and not answered; 'turn_within' is violated, and 'warn' follows, at ${at(121_000)}.`,
      cause: "turn_taken_up",
      awaited: ["bob"],
      since: at(1_000),
      next: warned(121_000),
    };
    expect(shown(await net.why(id))).toEqual(expected);
    expect(shown(await channel.whyWaiting())).toEqual(expected);
  });

  it("an agent that is offline", async () => {
    const net = await open();
    const { id, bob } = await bobsTurn(net);
    net.leave(bob);
    await settle();
    expect(shown(await net.why(id))).toEqual({
      sentence: `Waiting since ${at(1_000)} for bob, who is offline; 'turn_within' is violated, and 'warn' follows, at ${at(121_000)}.`,
      cause: "agent_offline",
      awaited: ["bob"],
      since: at(1_000),
      next: warned(121_000),
    });
  });

  it("an inbox that is full", async () => {
    const net = await open();
    const alice = await net.join("alice");
    await net.join("bob");
    const rule = { limits: { inbox: { max_pending: 1, overflow: "reject" as const } } };
    await net.join("carol", undefined, { rule, onEnvelope: acceptAndHang });
    const channel = await alice.open({ type: "discussion", target: ["bob", "carol"] });
    await net.clock.advanceAsync(1_000);
    await channel.send("what do you say?");
    await settle();
    expect(shown(await net.why(channel.channelId))).toEqual({
      sentence: `Waiting since ${at(1_000)} for carol, whose inbox is full (1 outstanding): what is said is refused; 'turn_within' is violated, and 'warn' follows, at ${at(121_000)}.`,
      cause: "inbox_full",
      awaited: ["carol"],
      since: at(1_000),
      next: warned(121_000),
    });
  });

  it("a dead letter, and whose it is only the hub tells with the reason", async () => {
    const net = await open({ maxDeliveryAttempts: 1 });
    const { id, channel } = await bobsTurn(net, () => new Error("no such model"));
    await net.clock.advanceAsync(2_000);
    const rest = {
      cause: "dead_letter",
      awaited: ["bob"],
      since: at(1_000),
      next: warned(121_000),
    };
    expect(shown(await net.why(id))).toEqual({
      ...rest,
      sentence: `Waiting since ${at(1_000)} for bob, for whom the envelope was given up (given up after 1: no such model); 'turn_within' is violated, and 'warn' follows, at ${at(121_000)}.`,
    });
    expect(shown(await channel.whyWaiting())).toEqual({
      ...rest,
      sentence: `Waiting since ${at(1_000)} for bob, for whom the envelope was given up; 'turn_within' is violated, and 'warn' follows, at ${at(121_000)}.`,
    });
  });

  it("the delay of a redelivery", async () => {
    const net = await open({ redeliveryBaseMs: 20_000 });
    const { id } = await bobsTurn(net, () => new Error("busy"));
    expect(shown(await net.why(id))).toEqual({
      sentence: `Waiting since ${at(1_000)} for bob, who has given the envelope back (busy); it is sent again at ${at(21_000)}.`,
      cause: "redelivery",
      awaited: ["bob"],
      since: at(1_000),
      next: { what: "it is sent again", at: at(21_000) },
    });
  });

  it("a turn that was reported as failed", async () => {
    const net = await open();
    const { id, bob } = await bobsTurn(net);
    const envelope_id = (await net.hub.readWal(id)).at(-1)?.envelope_id ?? "";
    await net.clock.advanceAsync(1_000);
    const failure = { channel_id: id, agent_id: bob.agentId, envelope_id, error: "out\nof tokens" };
    await net.hub.reportTurnFailure(failure);
    expect(shown(await net.why(id))).toEqual({
      sentence: `Waiting since ${at(2_000)} for bob, whose turn has failed (out of tokens); 'turn_within' is violated, and 'warn' follows, at ${at(121_000)}.`,
      cause: "turn_failed",
      awaited: ["bob"],
      since: at(2_000),
      next: warned(121_000),
    });
  });

  it("a person", async () => {
    const net = await open();
    const alice = await net.join("alice");
    await net.connect().registerHuman({ name: "eve" });
    const channel = await alice.open({ type: "discussion", target: "eve" });
    await net.clock.advanceAsync(1_000);
    await channel.send("what do you say?");
    await settle();
    expect(shown(await net.why(channel.channelId))).toEqual({
      sentence: `Waiting since ${at(1_000)} for eve, a person, to answer; 'turn_within' is violated, and 'warn' follows, at ${at(121_000)}.`,
      cause: "human_awaited",
      awaited: ["eve"],
      since: at(1_000),
      next: warned(121_000),
    });
  });

  it("what was said before a channel began to close", async () => {
    const net = await open();
    const { id, channel } = await bobsTurn(net);
    await net.clock.advanceAsync(1_000);
    await channel.close("night", { drain: true });
    await settle();
    expect(shown(await net.why(id))).toEqual({
      sentence: `The channel has been closing since ${at(2_000)} (night) and waits for bob to deal with what was said before; it closes in any case at ${at(32_000)}.`,
      cause: "closing",
      awaited: ["bob"],
      since: at(2_000),
      next: { what: "it closes in any case", at: at(32_000) },
    });
  });

  it("nobody, where anybody may speak", async () => {
    const net = await open();
    const alice = await net.join("alice");
    await net.join("bob", () => null);
    const knobs = { expectations: [{ name: "max_silence", off: true }] };
    const channel = await alice.open({ type: "conversation", target: "bob", knobs });
    await channel.send("no need to answer");
    await settle();
    expect(shown(await net.why(channel.channelId))).toEqual({
      sentence: `Waiting for nobody: all that was said has been dealt with, and anybody may speak; the channel expires at ${at(7_200_000)}.`,
      cause: "nobody_expected",
      awaited: [],
      since: null,
      next: { what: "the channel expires", at: at(7_200_000) },
    });
  });

  it("an expectation that runs", async () => {
    const net = await open();
    const alice = await net.join("alice");
    await net.join("bob", () => null);
    const reply = { name: "reply_within", on_violation: "audit", params: { seconds: 60 } };
    const knobs = { expectations: [reply] };
    const channel = await alice.open({ type: "conversation", target: "bob", knobs });
    await net.clock.advanceAsync(1_000);
    await channel.send("are you there?");
    await settle();
    const violation = "'reply_within' is violated, and 'audit' follows,";
    expect(shown(await net.why(channel.channelId))).toEqual({
      sentence: `Waiting since ${at(1_000)} for bob to speak, as 'reply_within' expects; ${violation} at ${at(61_000)}.`,
      cause: "expectation_pending",
      awaited: ["bob"],
      since: at(1_000),
      next: { what: violation, at: at(61_000) },
    });
  });

  it("reads nothing of the store", async () => {
    const net = await open();
    const { id } = await bobsTurn(net);
    const reads = ["readWal", "readEnvelope", "readLog", "readChannel", "readRecord"] as const;
    const before = reads.map((method) => net.store.calls(method));
    await net.why(id);
    expect(reads.map((method) => net.store.calls(method))).toEqual(before);
  });
});

const acceptAndHang: NonNullable<
  NonNullable<Parameters<Network["join"]>[2]>["onEnvelope"]
> = async (envelope, client) => {
  const { channel_id, envelope_id } = envelope;
  if (envelope.event_type !== EV_CHANNEL_INVITE) return never();
  await client.send({
    ...{ channel_id, causation_id: envelope_id },
    ...{ event_type: EV_CHANNEL_INVITE_ACK, event_data: { channel_id } },
  });
};
