/**
 * A pipeline: each agent does one step on what the one before it has made. A step that cannot be done
 * ends the work: nobody goes on as if it had been.
 */
import assert from "node:assert/strict";
import { sequenceGraph } from "@colloquy/adapters";
import { defineTool } from "@colloquy/client";
import { finish } from "@colloquy/protocol";
import * as z from "zod";
import { openStage } from "../stage/stage.js";

await using stage = await openStage(import.meta.url);
const hugo = await stage.person("Hugo");

const giveUp = defineTool({
  name: "give_up",
  description: "Ends the work. Call it only if nothing is known about the subject.",
  input: z.object({ reason: z.string() }),
  run: async ({ reason }) => finish(reason, "gave_up"),
});
const steps = [
  await stage.agent({
    name: "Researcher",
    instructions: "List three plain facts about the subject, in one short sentence each.",
    tools: [giveUp],
    script: [
      "It is 4 km long. It was dug in 1871. Barges still use it.",
      { toolCalls: [{ name: "give_up", arguments: { reason: "No map shows a canal there." } }] },
    ],
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
const target = steps.map(({ name }) => name);
const send = async (request: string) => {
  const channel = await hugo.open({ type: "workflow", target, knobs: { graph } });
  await hugo.say(channel.channelId, request);
  const { lines, reason } = await stage.end(channel.channelId);
  const speakers = lines.map(([speaker]) => speaker);
  // Whoever has spoken did so once and in order; all of them have, unless one gave up.
  assert.deepEqual(speakers, ["Hugo", ...target].slice(0, speakers.length));
  assert.equal(reason, speakers.length > target.length ? "sequence_complete" : "gave_up");
  return { reason, last: lines.at(-1)?.[1] };
};

const done = await send("We need a few lines about the old canal.");
stage.checkWords(done.reason, "sequence_complete");
stage.checkWords(done.last?.startsWith("STILL AT WORK"), true);

const ended = await send("And a few about the one behind the moon, please.");
stage.checkWords(ended, { reason: "gave_up", last: "No map shows a canal there." });
