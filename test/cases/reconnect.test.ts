import { createScriptedAgent } from "@colloquy/client";
import { type Envelope, EV_TEXT, formatTimestamp, NotFoundError } from "@colloquy/protocol";
import { createFakeClock, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import {
  acceptOnly,
  SURROUNDINGS,
  startTestNetwork,
  type TestNetwork,
} from "../fixtures/test-network.js";
import { watchBindings } from "../fixtures/watch-bindings.js";

describe.each(SURROUNDINGS)("attaching by name, $transport, $store", (options) => {
  it("N-170 registers a name that nobody has", async () => {
    await using network = await startTestNetwork(options);
    const endpoints = watchBindings(network.hub);
    const on = network.connect();
    const settings = { passport: { owner: "lab" }, resume: { claimed_capabilities: ["math"] } };
    const ada = await on.attach(createScriptedAgent("ada"), "ada", settings);
    expect(ada.agentId).toMatch(/^[0-9a-f]{32}$/);
    expect(await network.hub.getAgent("ada")).toMatchObject({
      ...{ agent_id: ada.agentId, owner: "lab" },
    });
    expect((await network.hub.getResume(ada.agentId)).claimed_capabilities).toEqual(["math"]);

    // A registration tells no endpoint, a hello does: the one who comes second shows which it is.
    await using other = network.connect();
    await network.ackOnly("bob", { on: other });
    await on.attach(createScriptedAgent("bob"), "bob");
    expect(on.endpointId).not.toBe("");
    expect(endpoints.get(ada.agentId)).toBe(on.endpointId);
  });

  it("N-171 needs to know whom to register", async () => {
    await using network = await startTestNetwork(options);
    const attached = network.connect().attach(createScriptedAgent("ada"), "ada");
    await expect(attached).rejects.toThrow(TypeError);
    await expect(attached).rejects.toThrow("not registered");
    await expect(network.hub.getAgent("ada")).rejects.toThrow(NotFoundError);
  });

  it("N-172 finds again whom an earlier client has registered", async () => {
    await using network = await startTestNetwork(options);
    const earlier = network.connect();
    const passport = { owner: "lab", model: "small" };
    const before = await earlier.register(createScriptedAgent("bob"), { passport });
    await earlier.close();

    const after = await network.connect().attach(createScriptedAgent("bob"), "bob");
    expect(after.agentId).toBe(before.agentId);
    expect(after.passport).toEqual(await network.hub.getAgent("bob"));
    expect(after.passport).toMatchObject({ owner: "lab", model: "small" });
    expect(after.status).toBe("active");
  });
});

/** A discussion of A, who only accepts invitations, and B, whose model is down. */
async function discussion(network: TestNetwork) {
  const a = await network.ackOnly("ada");
  const { client: b } = await network.agent("bob", () => new Error("the model is down"));
  const channel = await a.open({ type: "discussion", target: "bob" });
  return { a, b, channel };
}

describe.each(SURROUNDINGS)("turns that are owed, $transport, $store", (options) => {
  it("N-173 name the envelope that waits for an answer", async () => {
    await using network = await startTestNetwork(options);
    const { b, channel } = await discussion(network);
    const failed: string[] = [];
    network.hub.addListener({ onTurnFailed: ({ envelope_id }) => failed.push(envelope_id) });
    const text = await channel.send("your turn");
    await until(() => failed.includes(text));
    const [said] = (await network.wal(channel.channelId)).filter(isText);
    const owed = {
      ...{ channel_id: channel.channelId, triggering_envelope_id: text },
      expected_at: said?.created_at,
    };
    expect(await network.hub.pendingTurnsFor(b.agentId)).toEqual([owed]);
    expect(await b.hub.pendingTurnsFor(b.agentId)).toEqual([owed]);
  });

  it("N-174 are none where no order of turns is", async () => {
    await using network = await startTestNetwork(options);
    const [a, b] = [await network.ackOnly("ada"), await network.ackOnly("bob")];
    const channel = await a.open({ type: "conversation", target: "bob" });
    await channel.send("hello");
    for (const agent of [a, b]) {
      expect(await agent.hub.pendingTurnsFor(agent.agentId)).toEqual([]);
    }
  });

  it("N-175 name nothing to answer where the channel was just opened", async () => {
    const clock = createFakeClock();
    await using network = await startTestNetwork({ ...options, hub: { clock } });
    const { a, b, channel } = await discussion(network);
    clock.advance(5_000);
    // Nobody has spoken, so it is owed as of now, by the hub's clock.
    const expected_at = formatTimestamp(clock.now());
    const { channelId: channel_id } = channel;
    const owed = { channel_id, triggering_envelope_id: null, expected_at };
    expect(await a.hub.pendingTurnsFor(a.agentId)).toEqual([owed]);
    expect(await b.hub.pendingTurnsFor(b.agentId)).toEqual([]);
  });

  it("N-176 are run again with the very envelope that waits", async () => {
    await using network = await startTestNetwork(options);
    const { b, channel } = await discussion(network);
    const handled: string[] = [];
    b.onEnvelope(async (envelope, client) => {
      await acceptOnly(envelope, client);
      if (isText(envelope)) handled.push(envelope.envelope_id);
    });
    const text = await channel.send("your turn");
    const { agentId } = b;
    await until(() => network.hub.inboxCursor(agentId, channel.channelId) === text);
    expect(handled).toEqual([text]);

    expect(await b.resumePendingTurns()).toBe(1);
    expect(handled).toEqual([text, text]);
  });
});

function isText({ event_type }: Envelope): boolean {
  return event_type === EV_TEXT;
}
