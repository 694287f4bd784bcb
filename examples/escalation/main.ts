/** Escalation: a request climbs from the quick helper to the expert, and from there to a person. */
import assert from "node:assert/strict";
import {
  agentTarget,
  fromSpeaker,
  type TransitionGraph,
  terminateTarget,
  toolCalled,
  transition,
} from "@colloquy/adapters";
import { defineTool } from "@colloquy/client";
import { EV_PACKET } from "@colloquy/protocol";
import * as z from "zod";
import { openStage } from "../stage/stage.js";

await using stage = await openStage(import.meta.url);
const hugo = await stage.person("Hugo");
const mira = await stage.person("Mira");

// The graph says where an escalation leads; the agents only say that they are at their end.
const escalate = (name: string) =>
  defineTool({
    name,
    description: "Passes the request up. Call it when you are not sure.",
    input: z.object({ reason: z.string(), confidence: z.number().min(0).max(1) }),
    run: async ({ reason, confidence }) => `passed up at ${confidence}: ${reason}`,
  });
const climbs = (tool: string, reason: string) => [
  { toolCalls: [{ name: tool, arguments: { reason, confidence: 0.2 } }] },
  `That is beyond me: ${reason}.`,
];
const helper = await stage.agent({
  name: "Helper",
  instructions: "Answer simple questions; escalate everything else by the tool.",
  tools: [escalate("to_expert")],
  script: climbs("to_expert", "a question of law"),
});
const expert = await stage.agent({
  name: "Expert",
  instructions: "Answer questions of law; escalate what needs a signature.",
  tools: [escalate("to_person")],
  script: climbs("to_person", "this needs a signature"),
});

const graph: TransitionGraph = {
  initial_speaker: hugo.agentId,
  transitions: [
    transition(fromSpeaker(hugo.agentId), agentTarget(helper.agentId)),
    transition(toolCalled("to_expert"), agentTarget(expert.agentId)),
    transition(toolCalled("to_person"), agentTarget(mira.agentId)),
  ],
  default_target: terminateTarget("answered"),
  max_turns: 8,
};
mira.onEnvelope(async ({ channel_id, event_data, sender_id, envelope_id }) => {
  const routing = event_data["routing"] as { tool?: string } | undefined;
  if (sender_id !== expert.agentId || routing?.tool !== "to_person") return;
  await mira.say(channel_id, "Signed. You may go ahead.", { causationId: envelope_id });
});
const target = ["Helper", "Expert", "Mira"];
const channel = await hugo.open({ type: "workflow", target, knobs: { graph } });
await hugo.say(channel.channelId, "May I let the room to my cousin?");

const { lines, reason } = await stage.end(channel.channelId);
assert.equal(reason, "answered");
const packets = (await stage.hub.readWal(channel.channelId)).filter(
  ({ event_type }) => event_type === EV_PACKET,
);
const tools = packets.map(({ event_data }) => (event_data["routing"] as { tool?: string }).tool);
console.log(`Escalated by ${tools.filter(Boolean).join(", then ")}.`);
stage.checkWords(
  lines.map(([speaker]) => speaker),
  ["Hugo", "Helper", "Expert", "Mira"],
);
stage.checkWords(tools.slice(0, 2), ["to_expert", "to_person"]);
