/**
 * Escalation: the quick helper answers what it is sure of; what it is not climbs to the expert, and
 * from there to a person. How sure is sure enough is a number in the code, not up to the models.
 */
import assert from "node:assert/strict";
import {
  agentTarget,
  fromSpeaker,
  type TransitionGraph,
  terminateTarget,
  transition,
  type WorkflowState,
} from "@colloquy/adapters";
import { defineTool } from "@colloquy/client";
import { EV_PACKET, finish, handoff } from "@colloquy/protocol";
import * as z from "zod";
import { openStage } from "../stage/stage.js";

/** An answer of whoever is less sure than this goes one up. */
const SURE = 0.8;

await using stage = await openStage(import.meta.url);
const hugo = await stage.person("Hugo");
const mira = await stage.person("Mira");

const answerOrPassTo = (above: string) =>
  defineTool({
    name: "answer",
    description: "Gives your answer, and how sure you are of it: from 0 to 1. Always call it.",
    input: z.object({ answer: z.string(), confidence: z.number().min(0).max(1) }),
    async run({ answer, confidence }, { setContext, client }) {
      await setContext({ [client.name]: confidence });
      if (confidence >= SURE) return finish(answer, "answered");
      return handoff(above, `Not sure enough (${confidence}): ${answer}`);
    },
  });
const answers = (answer: string, confidence: number) => ({
  toolCalls: [{ name: "answer", arguments: { answer, confidence } }],
});
const helper = await stage.agent({
  name: "Helper",
  instructions: "You know everyday things, and nothing about law. Call answer.",
  tools: [answerOrPassTo("Expert")],
  script: [answers("Twelve dozen are 144.", 1), answers("Perhaps.", 0.2)],
});
const expert = await stage.agent({
  name: "Expert",
  instructions: "You know the law, and nothing about this house. Call answer.",
  tools: [answerOrPassTo("Mira")],
  script: [answers("Only if the landlord agrees.", 0.5)],
});

// Mira sits above the expert, and needs no tool to answer.
mira.onEnvelope(async ({ channel_id, envelope_id, event_data, event_type, sender_id }) => {
  if (event_type !== EV_PACKET || sender_id !== expert.agentId) return;
  const { kind } = event_data["routing"] as { kind?: string };
  if (kind !== "handoff") return;
  await mira.say(channel_id, "I am the landlord. You may.", { causationId: envelope_id });
});

const graph: TransitionGraph = {
  initial_speaker: hugo.agentId,
  transitions: [transition(fromSpeaker(hugo.agentId), agentTarget(helper.agentId))],
  default_target: terminateTarget("answered"),
  max_turns: 8,
};
const ladder = ["Helper", "Expert", "Mira"];
const ask = async (question: string) => {
  const channel = await hugo.open({ type: "workflow", target: ladder, knobs: { graph } });
  await hugo.say(channel.channelId, question);
  const { lines, reason } = await stage.end(channel.channelId);
  assert.equal(reason, "answered");
  const [, ...climbed] = lines.map(([speaker]) => speaker);
  assert.deepEqual(climbed, ladder.slice(0, climbed.length), "nobody is passed over");
  const { context_vars } = (await stage.hub.adapterState(channel.channelId)).state as WorkflowState;
  for (const below of climbed.slice(0, -1)) {
    assert.ok(Number(context_vars[below] ?? 0) < SURE, `${below} was not sure`);
  }
  return { climbed, context_vars };
};

const easy = await ask("How many are twelve dozen?");
stage.checkWords(easy, { climbed: ["Helper"], context_vars: { Helper: 1 } });
const hard = await ask("May I let the room to my cousin?");
stage.checkWords(hard, { climbed: ladder, context_vars: { Helper: 0.2, Expert: 0.5 } });
