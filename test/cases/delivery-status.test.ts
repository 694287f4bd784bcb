import { createScriptedAgent } from "@colloquy/client";
import {
  createPassport,
  createResume,
  createRule,
  type Envelope,
  EV_CHANNEL_INVITE,
  type Passport,
} from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { SURROUNDINGS, startTestNetwork } from "../fixtures/test-network.js";

const PASSPORT = createPassport({
  ...{ name: "bob", kind: "remote_agent", hub_id: "h2", auth: { scheme: "a2a" } },
});

describe.each(SURROUNDINGS)("what became of an envelope, $transport, $store", (options) => {
  it("F-148 its sender sees it queued, taken up and answered, with times", async () => {
    await using network = await startTestNetwork(options);
    const { client: ada } = await network.agent("ada");
    let goOn: (text: string) => void = () => undefined;
    const agent = createScriptedAgent("bob", () => {
      const answer = new Promise<string>((done) => {
        goOn = done;
      });
      return answer;
    });
    const hub = network.connect();
    const bob = await hub.register(agent);
    const channel = await ada.open({ type: "conversation", target: "bob" });
    const text = await channel.send("a text");
    const line = async () => (await ada.hub.ledger(channel.channelId, text)).lines[0];
    await until(async () => (await line())?.state === "taken_up");
    await until(() => agent.turns.length === 1);
    expect(await line()).toMatchObject({ recipient_id: bob.agentId, answered_at: null });
    goOn("an answer");
    await until(async () => (await line())?.settled_at !== null);
    expect(await line()).toMatchObject({ state: "answered", attempt: 1, reason: "" });
    expect((await line())?.answered_at).not.toBeNull();
  });
});

it("N-203 a remote agent gets an envelope once through the proxy of its scheme", async () => {
  await using network = await startTestNetwork({ transport: "local", store: "memory" });
  const { client: ada } = await network.agent("ada");
  const { agent_id } = await network.hub.registerIdentity({
    ...{ passport: PASSPORT, resume: createResume(), rule: createRule() },
    skill_md: null,
  });
  const sender_id = agent_id ?? "";
  const got: (readonly [Envelope, Passport])[] = [];
  network.hub.registerRemoteProxy({
    scheme: "a2a",
    async dispatch(envelope, passport) {
      got.push([envelope, passport]);
      if (envelope.event_type !== EV_CHANNEL_INVITE) return;
      const { channel_id, envelope_id: causation_id } = envelope;
      const event = { event_type: "ag2.channel.invite.ack", event_data: { channel_id } };
      await network.hub.post({ channel_id, sender_id, causation_id, ...event });
    },
    close: () => undefined,
  });
  const channel = await ada.open({ type: "conversation", target: "bob" });
  const text = await channel.send("a text");
  await until(() => got.some(([{ envelope_id }]) => envelope_id === text));
  const own = got.filter(([{ envelope_id }]) => envelope_id === text);
  expect(own).toHaveLength(1);
  expect(own[0]?.[1]).toMatchObject({ agent_id, hub_id: "h2", kind: "remote_agent" });
});
