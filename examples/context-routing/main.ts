/** Routing by context: what a tool has noted, not who speaks, decides where a request goes. */
import assert from "node:assert/strict";
import {
  agentTarget,
  contextEquals,
  fromSpeaker,
  type TransitionGraph,
  terminateTarget,
  transition,
  type WorkflowState,
} from "@colloquy/adapters";
import { defineTool } from "@colloquy/client";
import * as z from "zod";
import { openStage } from "../stage/stage.js";

await using stage = await openStage(import.meta.url);
const hugo = await stage.person("Hugo");

const note = defineTool({
  name: "note",
  description: "Notes what the request is about. Call it once before you answer.",
  input: z.object({ subject: z.enum(["money", "parcel"]), urgent: z.boolean() }),
  async run({ subject, urgent }, { setContext }) {
    await setContext({ subject, urgent });
    return "noted";
  },
});
const reception = await stage.agent({
  name: "Reception",
  instructions:
    "Note the subject of the request by the tool; then say in one sentence who will help.",
  tools: [note],
  script: [
    { toolCalls: [{ name: "note", arguments: { subject: "parcel", urgent: true } }] },
    "The parcel desk looks after it.",
  ],
});
const money = await stage.agent({
  name: "Money",
  instructions: "You look after payments. Answer in one sentence.",
  script: [],
});
const parcels = await stage.agent({
  name: "Parcels",
  instructions: "You look after parcels. Answer in one sentence.",
  script: ["It is on the van and comes before noon."],
});

const graph: TransitionGraph = {
  initial_speaker: hugo.agentId,
  transitions: [
    transition(fromSpeaker(hugo.agentId), agentTarget(reception.agentId)),
    transition(fromSpeaker(money.agentId), terminateTarget("answered")),
    transition(fromSpeaker(parcels.agentId), terminateTarget("answered")),
    transition(contextEquals("subject", "money"), agentTarget(money.agentId)),
    transition(contextEquals("subject", "parcel"), agentTarget(parcels.agentId)),
  ],
  default_target: terminateTarget("not_understood"),
  max_turns: 6,
};
const target = ["Reception", "Money", "Parcels"];
const channel = await hugo.open({ type: "workflow", target, knobs: { graph } });
await hugo.say(channel.channelId, "My parcel should have come yesterday, and I leave at noon!");

const { lines, reason } = await stage.end(channel.channelId);
const { state } = await stage.hub.adapterState(channel.channelId);
const { context_vars } = state as WorkflowState;
console.log("Noted:", context_vars);
assert.equal(lines[1]?.[0], "Reception");
if (reason === "answered") {
  const desk = context_vars["subject"] === "money" ? "Money" : "Parcels";
  assert.equal(lines.at(-1)?.[0], desk, "what was noted has routed the request");
}
stage.checkWords(context_vars, { subject: "parcel", urgent: true });
stage.checkWords(
  lines.map(([speaker]) => speaker),
  ["Hugo", "Reception", "Parcels"],
);
