/** A feedback loop: a writer and a critic take turns until the critic is content, or the turns are used up. */
import assert from "node:assert/strict";
import {
  agentTarget,
  fromSpeaker,
  type TransitionGraph,
  terminateTarget,
  transition,
} from "@colloquy/adapters";
import { defineTool } from "@colloquy/client";
import { finish } from "@colloquy/protocol";
import * as z from "zod";
import { openStage } from "../stage/stage.js";

const MOST_WORDS = 6;

await using stage = await openStage(import.meta.url);
const hugo = await stage.person("Hugo");

// The model says when it is content; what must hold in any case, the code looks at.
let accepted = "";
const approve = defineTool({
  name: "approve",
  description: "Accepts the slogan. Call it only when there is nothing left to mend.",
  input: z.object({ slogan: z.string().describe("The slogan, word for word.") }),
  async run({ slogan }) {
    const words = slogan.trim().split(/\s+/).length;
    if (words > MOST_WORDS) return `Error: it has ${words} words, not ${MOST_WORDS} at most`;
    accepted = slogan;
    return finish(slogan, "approved");
  },
});
const approves = (slogan: string) => ({ toolCalls: [{ name: "approve", arguments: { slogan } }] });
const long = "Bread, baked with love every single morning.";
const short = "Warm bread, every morning.";
const writer = await stage.agent({
  name: "Writer",
  instructions: `Write a slogan of at most ${MOST_WORDS} words. Mend it as the critic asks.`,
  script: [long, short],
});
const critic = await stage.agent({
  name: "Critic",
  instructions: "Ask for one change at a time. When the slogan is good, call approve.",
  tools: [approve],
  script: [approves(long), "Too long. Cut the love.", approves(short)],
});

const graph: TransitionGraph = {
  initial_speaker: hugo.agentId,
  transitions: [
    transition(fromSpeaker(hugo.agentId), agentTarget(writer.agentId)),
    transition(fromSpeaker(writer.agentId), agentTarget(critic.agentId)),
    transition(fromSpeaker(critic.agentId), agentTarget(writer.agentId)),
  ],
  default_target: terminateTarget("lost"),
  max_turns: 9,
};
const target = ["Writer", "Critic"];
const channel = await hugo.open({ type: "workflow", target, knobs: { graph } });
await hugo.say(channel.channelId, "A slogan for the bakery, please.");

const { lines, reason } = await stage.end(channel.channelId);
assert.ok(reason === "approved" || reason === "max_turns", "the loop ends by itself");
for (const [at, [speaker]] of lines.entries()) {
  if (at > 0) assert.equal(speaker, at % 2 === 1 ? "Writer" : "Critic");
}
assert.equal(reason === "approved", accepted !== "");
stage.checkWords(accepted, short);
stage.checkWords(lines.length, 5);
