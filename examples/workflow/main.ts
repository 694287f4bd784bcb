/** A workflow: a graph routes, a tool hands over, context variables travel, a finish ends it. */
import assert from "node:assert/strict";
import {
  agentTarget,
  contextEquals,
  createDefaultAdapters,
  fromSpeaker,
  type TransitionGraph,
  terminateTarget,
  transition,
  type WorkflowState,
} from "@colloquy/adapters";
import { createHubClient, createScriptedAgent, type Reply } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import { openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import { EV_CHANNEL_CLOSED, EV_PACKET, finish, handoff } from "@colloquy/protocol";
import { openStore } from "../stage/store.js";

const hub = await openHub({ store: await openStore(), adapters: createDefaultAdapters() });
const server = await serveWebSocket(hub);
const connect = () => createHubClient({ link: createNodeLink(server.url) });
const clients = [connect(), connect(), connect()] as const;

/** A reply with one tool call, as a model would have made it. */
const calls = (text: string, tool: string, result: unknown): Reply => ({
  text,
  events: [
    { type: "tool_call", id: "call-1", name: tool, arguments: {} },
    { type: "tool_result", id: "call-1", result },
  ],
});
const varsIn = (state: unknown) => (state as WorkflowState).context_vars;

const desk = await clients[0].register(
  createScriptedAgent("Desk", ({ context }) =>
    calls(
      `Your parcel comes on ${String(varsIn(context.state)["day"])}.`,
      "settle",
      finish("delivery agreed", "settled"),
    ),
  ),
);
const store = await clients[1].register(
  createScriptedAgent("Store", async ({ context }) => {
    await context.channel.setContext({ weight_kg: 12 });
    return calls(
      "It weighs 12 kg and is packed.",
      "ask_driver",
      handoff("Driver", "too heavy for the bicycle"),
    );
  }),
);
const driver = await clients[2].register(
  createScriptedAgent("Driver", async ({ context }) => {
    assert.equal(varsIn(context.state)["weight_kg"], 12, "the driver knows what the store has set");
    await context.channel.setContext({ day: "Thursday", planned: true });
    return "I can take it on Thursday.";
  }),
);

const graph: TransitionGraph = {
  initial_speaker: desk.agentId,
  transitions: [
    transition(fromSpeaker(desk.agentId), agentTarget(store.agentId)),
    transition(contextEquals("planned", true), agentTarget(desk.agentId)),
  ],
  default_target: terminateTarget("nobody_left"),
  max_turns: 10,
};
const channel = await desk.open({
  type: "workflow",
  target: ["Store", "Driver"],
  knobs: { graph, context_vars: { customer: "Ms Lind" } },
});
await channel.send("Ms Lind asks when her parcel comes.");
await desk.waitForChannelEvent(
  channel.channelId,
  ({ event_type }) => event_type === EV_CHANNEL_CLOSED,
  10_000,
);

const packets = (await hub.readWal(channel.channelId)).filter(
  (one) => one.event_type === EV_PACKET,
);
for (const { sender_id, event_data } of packets) {
  const { kind } = event_data["routing"] as { kind: string };
  console.log(`${hub.nameFor(sender_id)} (${kind}): ${String(event_data["body"])}`);
}
const speakers = packets.map(({ sender_id }) => sender_id);
assert.deepEqual(speakers, [store.agentId, driver.agentId, desk.agentId]);
const routing = packets[0]?.event_data["routing"] as { kind: string; target: string };
assert.equal(routing.kind, "handoff");
assert.equal(routing.target, driver.agentId);

assert.equal((await channel.info()).close_reason, "settled");
const vars = varsIn((await hub.adapterState(channel.channelId)).state);
console.log("Context variables:", vars);
assert.deepEqual(vars, { customer: "Ms Lind", weight_kg: 12, day: "Thursday", planned: true });

await Promise.all(clients.map((client) => client.drain()));
await hub.drain();
