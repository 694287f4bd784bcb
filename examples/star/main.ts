/** A star: one agent in the middle asks the others in turn, and everything comes back to it. */
import assert from "node:assert/strict";
import {
  agentTarget,
  fromSpeaker,
  type TransitionGraph,
  terminateTarget,
  transition,
} from "@colloquy/adapters";
import { defineTool } from "@colloquy/client";
import { finish, handoff } from "@colloquy/protocol";
import * as z from "zod";
import { openStage } from "../stage/stage.js";

await using stage = await openStage(import.meta.url);
const hugo = await stage.person("Hugo");

const ask = defineTool({
  name: "ask",
  description: "Puts the question to one of the specialists: Weather, Trains or Hotels.",
  input: z.object({ specialist: z.string(), question: z.string() }),
  run: async ({ specialist, question }) => handoff(specialist, question),
});
const answer = defineTool({
  name: "answer",
  description: "Gives the traveller the final answer. Call it once every specialist was asked.",
  input: z.object({ summary: z.string() }),
  run: async ({ summary }) => finish(summary, "answered"),
});
const asks = (specialist: string, question: string) => ({
  text: `${specialist}, please.`,
  toolCalls: [{ name: "ask", arguments: { specialist, question } }],
});
const guide = await stage.agent({
  name: "Guide",
  instructions: "Plan a day trip. Ask Weather, Trains and Hotels, one at a time; then answer.",
  tools: [ask, answer],
  script: [
    asks("Weather", "What will Saturday be like?"),
    asks("Trains", "When does one have to leave?"),
    asks("Hotels", "Is there a room?"),
    {
      text: "Saturday it is: sun, the 8:10 train, a room at the mill.",
      toolCalls: [{ name: "answer", arguments: { summary: "sun, 8:10, the mill" } }],
    },
  ],
});
const specialists = [
  await stage.agent({
    name: "Weather",
    instructions: "Say what the weather will be.",
    script: ["Sunny."],
  }),
  await stage.agent({ name: "Trains", instructions: "Name one train.", script: ["The 8:10."] }),
  await stage.agent({ name: "Hotels", instructions: "Name one hotel.", script: ["The mill."] }),
];

const graph: TransitionGraph = {
  initial_speaker: hugo.agentId,
  transitions: [hugo, ...specialists].map(({ agentId }) =>
    transition(fromSpeaker(agentId), agentTarget(guide.agentId)),
  ),
  default_target: terminateTarget("guide_gave_up"),
  max_turns: 12,
};
const target = [guide, ...specialists].map(({ name }) => name);
const channel = await hugo.open({ type: "workflow", target, knobs: { graph } });
await hugo.say(channel.channelId, "Where to on Saturday?");

const { lines, reason } = await stage.end(channel.channelId);
const speakers = lines.map(([speaker]) => speaker);
stage.checkWords(speakers, [
  "Hugo",
  "Guide",
  "Weather",
  "Guide",
  "Trains",
  "Guide",
  "Hotels",
  "Guide",
]);
stage.checkWords(reason, "answered");
for (const [at, speaker] of speakers.entries()) {
  const isPoint = specialists.some(({ name }) => name === speaker);
  if (isPoint)
    assert.equal(speakers[at - 1], "Guide", "a point of the star hears the middle alone");
}
