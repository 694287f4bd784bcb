/** Triage with tasks: a request is split, each part runs as a task that others can watch, and the hub keeps score. */
import assert from "node:assert/strict";
import { defineTool } from "@colloquy/client";
import * as z from "zod";
import { openStage } from "../stage/stage.js";

await using stage = await openStage(import.meta.url);
const hugo = await stage.person("Hugo");

const worker = (name: string, capability: string, answer: string) =>
  stage.agent({
    name,
    capabilities: [capability],
    instructions: `You are good at ${capability}. Answer in one sentence.`,
    script: [answer],
  });
await worker("Rosa", "research", "The mill was built in 1790.");
await worker("Will", "writing", "Since 1790 the mill has turned.");

// A part is a task of the triage agent's, done by whoever the directory has for it.
const runPart = defineTool({
  name: "run_part",
  description: "Has one part of the work done by somebody who is good at it.",
  input: z.object({ title: z.string(), capability: z.enum(["research", "writing"]) }),
  run: async ({ title, capability }, { turn, client }) =>
    turn.context.task({ title, capability }, {}, async (task) => {
      const [peer] = await client.hub.listAgents({ capability });
      if (peer === undefined) throw new Error(`nobody is good at ${capability}`);
      task.progress({ asked: peer.name });
      const result = await client.consult(peer.name, title);
      task.complete({ by: peer.name, result });
      return { by: peer.name, result };
    }),
});
const triage = await stage.agent({
  name: "Triage",
  instructions:
    "Split the request into research and writing, run each part by the tool, then answer.",
  tools: [runPart],
  script: [
    {
      toolCalls: [
        {
          name: "run_part",
          arguments: { title: "When was the mill built?", capability: "research" },
        },
        {
          name: "run_part",
          arguments: { title: "One line about the mill.", capability: "writing" },
        },
      ],
    },
    "Done: Since 1790 the mill has turned.",
  ],
});

const channel = await hugo.open({ type: "consulting", target: "Triage" });
await hugo.say(channel.channelId, "A line about the mill, with its year.");
const { lines, reason } = await stage.end(channel.channelId);
assert.equal(reason, "consulting_complete");
stage.checkWords(lines[1], ["Triage", "Done: Since 1790 the mill has turned."]);

const tasks = await stage.hub.listTasks({ agent_id: triage.agentId, limit: 10 });
for (const { spec, state, result } of tasks) {
  console.log(`${spec.title} ${state}: ${JSON.stringify(result)}`);
  assert.equal(state, "completed");
}
const { observed } = await stage.hub.getResume(triage.agentId);
stage.checkWords(tasks.length, 2);
stage.checkWords([observed["research"]?.completed, observed["writing"]?.completed], [1, 1]);
