/** A pipeline: each agent does one step on what the one before it has made. */
import assert from "node:assert/strict";
import { sequenceGraph } from "@colloquy/adapters";
import { openStage } from "../stage/stage.js";

await using stage = await openStage(import.meta.url);
const hugo = await stage.person("Hugo");
const steps = [
  await stage.agent({
    name: "Researcher",
    instructions: "List three plain facts about the subject, in one short sentence each.",
    script: ["It is 4 km long. It was dug in 1871. Barges still use it."],
  }),
  await stage.agent({
    name: "Writer",
    instructions: "Make one short paragraph of the facts that you are given.",
    script: ["Dug in 1871, the four kilometres of the canal still carry barges."],
  }),
  await stage.agent({
    name: "Editor",
    instructions: "Give the paragraph a headline and leave the rest as it is.",
    script: ["STILL AT WORK: Dug in 1871, the four kilometres of the canal still carry barges."],
  }),
];

const graph = sequenceGraph([hugo, ...steps].map(({ agentId }) => agentId));
const names = steps.map(({ name }) => name);
const channel = await hugo.open({ type: "workflow", target: names, knobs: { graph } });
await hugo.say(channel.channelId, "We need a few lines about the old canal.");

const { lines, reason } = await stage.end(channel.channelId);
assert.equal(reason, "sequence_complete");
assert.deepEqual(
  lines.map(([speaker]) => speaker),
  ["Hugo", "Researcher", "Writer", "Editor"],
);
stage.checkWords(lines.at(-1)?.[1].startsWith("STILL AT WORK"), true);
