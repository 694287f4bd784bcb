import { createScriptedAgent, isClientError } from "@colloquy/client";
import {
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_INVITE,
  EV_TEXT,
  effectiveKind,
  isProtocolEvent,
} from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import {
  startTestNetwork,
  type TestNetwork,
  TRANSPORTS,
  textsOf,
} from "../fixtures/test-network.js";

const isText = ({ event_type }: Envelope) => event_type === EV_TEXT;

/** A conversation that an agent has opened with a person. */
async function conversation(network: TestNetwork) {
  const agent = await network.ackOnly("ada");
  const person = await network.human("ann");
  const channel = await agent.open({ type: "conversation", target: "ann" });
  return { agent, person, channel };
}

/** Fails with what the promise rejected with; it must be an error of the client. */
async function clientErrorOf(promise: Promise<unknown>): Promise<string> {
  const reason: unknown = await promise.then(
    () => new Error("it was fulfilled"),
    (error: unknown) => error,
  );
  if (!isClientError(reason)) throw reason;
  return reason.message;
}

describe.each(TRANSPORTS)("registering people over %s", (transport) => {
  it("N-119 a passport without kind becomes a person's", async () => {
    await using network = await startTestNetwork({ transport });
    const resume = { summary: "Knows the archive." };
    const person = await network.connect().registerHuman({ name: "ann" }, { resume });
    expect(person.passport.kind).toBe("human");
    expect(effectiveKind(person.passport)).toBe("human");
    expect(person.agentId).toMatch(/^[0-9a-f]{32}$/);
    expect(person.resume.summary).toBe(resume.summary);
    const stored = await network.hub.getAgent("ann");
    expect(stored).toMatchObject({ kind: "human", agent_id: person.agentId });
    expect((await network.hub.getResume(person.agentId)).summary).toBe(resume.summary);
  });

  it("N-120 a person's passport is no agent's, and the message says what to call", async () => {
    await using network = await startTestNetwork({ transport });
    const passport = { kind: "human" } as const;
    const registered = network.connect().register(createScriptedAgent("ann"), { passport });
    await expect(registered).rejects.toThrow(TypeError);
    await expect(registered).rejects.toThrow("registerHuman");
    expect(await network.hub.listAgents()).toEqual([]);
  });

  it("N-121 an agent's passport is no person's", async () => {
    await using network = await startTestNetwork({ transport });
    const registered = network.connect().registerHuman({ name: "ada", kind: "agent" });
    await expect(registered).rejects.toThrow(TypeError);
    await expect(registered).rejects.toThrow("kind='human'");
    expect(await network.hub.listAgents()).toEqual([]);
  });

  it("N-122 agents and people can be listed apart", async () => {
    await using network = await startTestNetwork({ transport });
    const agent = await network.ackOnly("ada");
    const person = await network.human("ann");
    const ids = async (filter?: Parameters<typeof agent.hub.listAgents>[0]) =>
      (await agent.hub.listAgents(filter)).map(({ agent_id }) => agent_id);
    expect(await ids({ kind: "agent" })).toEqual([agent.agentId]);
    expect(await ids({ kind: "human" })).toEqual([person.agentId]);
    expect((await ids()).toSorted()).toEqual([agent.agentId, person.agentId].toSorted());
  });
});

describe.each(TRANSPORTS)("people in channels over %s", (transport) => {
  it("N-123 a callback that answers completes a consultation", async () => {
    await using network = await startTestNetwork({ transport });
    const agent = await network.ackOnly("ada");
    const person = await network.human("ann");
    const questions: string[] = [];
    person.onEnvelope(async (envelope) => {
      if (!isText(envelope)) return;
      questions.push(...textsOf([envelope]));
      await person.say(envelope.channel_id, "it is on the third floor");
    });
    const channel = await agent.open({ type: "consulting", target: "ann" });
    expect(channel.state).toBe("active");
    await channel.send("where is it?");
    const closed = await agent.waitForChannelEvent(
      channel.channelId,
      ({ event_type }) => event_type === EV_CHANNEL_CLOSED,
    );
    expect(closed.event_type).toBe("ag2.channel.closed");
    // The person's own copy of the end stands behind everything that came before it.
    await person.nextEnvelope(({ event_type }) => event_type === EV_CHANNEL_CLOSED);
    expect(questions).toEqual(["where is it?"]);
  });

  it("N-124 envelopes are pulled one by one, or up to the one that is wanted", async () => {
    await using network = await startTestNetwork({ transport });
    const { person, channel } = await conversation(network);
    const first = await person.nextEnvelope();
    expect(first.event_type).toBe(EV_CHANNEL_INVITE);
    expect(isProtocolEvent(first.event_type)).toBe(true);
    await channel.send("hello");
    const text = await person.nextEnvelope(isText);
    expect(textsOf([text])).toEqual(["hello"]);
  });

  it("N-125 the stream of envelopes ends when the person leaves", async () => {
    await using network = await startTestNetwork({ transport });
    const { person, channel } = await conversation(network);
    await channel.send("one");
    await channel.send("two");
    const seen: string[] = [];
    for await (const envelope of person.envelopes()) {
      seen.push(...textsOf([envelope]));
      if (seen.length === 2) person.disconnect();
    }
    expect(seen).toEqual(["one", "two"]);
    expect(person.status).toBe("disconnected");
  });

  it("N-126 a callback that throws hurts neither another nor the queue", async () => {
    await using network = await startTestNetwork({ transport });
    const { person, channel } = await conversation(network);
    const heard: string[] = [];
    person.onEnvelope(() => {
      throw new Error("always");
    });
    person.onEnvelope((envelope) => {
      heard.push(...textsOf([envelope]));
    });
    await channel.send("one");
    await channel.send("two");
    await until(() => heard.length === 2);
    expect(heard).toEqual(["one", "two"]);
    const pulled = [await person.nextEnvelope(isText), await person.nextEnvelope(isText)];
    expect(textsOf(pulled)).toEqual(["one", "two"]);
  });

  it("N-127 who has left can say nothing", async () => {
    await using network = await startTestNetwork({ transport });
    const { person, channel } = await conversation(network);
    const { length } = await network.wal(channel.channelId);
    person.disconnect();
    const draft = { channel_id: channel.channelId, event_type: EV_TEXT, event_data: { text: "" } };
    expect(await clientErrorOf(person.send(draft))).toContain("disconnected");
    expect(await clientErrorOf(person.say(channel.channelId, "hi"))).toContain("disconnected");
    expect(await network.wal(channel.channelId)).toHaveLength(length);
  });

  it("N-128 leaving fails those who wait", async () => {
    await using network = await startTestNetwork({ transport });
    const { person } = await conversation(network);
    const waiting = person.nextEnvelope(() => false);
    person.disconnect();
    expect(await clientErrorOf(waiting)).toContain("disconnected");
  });
});
