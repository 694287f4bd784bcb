/**
 * Triage with tasks: a request is split into parts, each runs as a task that others can watch, and
 * what has to come first does. The hub keeps the results, and the score of who did them.
 */
import assert from "node:assert/strict";
import { defineTool } from "@colloquy/client";
import * as z from "zod";
import { openStage } from "../stage/stage.js";

await using stage = await openStage(import.meta.url);
const hugo = await stage.person("Hugo");

const worker = (name: string, capability: string, answers: readonly string[]) =>
  stage.agent({
    name,
    capabilities: [capability],
    instructions: `You are good at ${capability}. Answer in one sentence.`,
    script: answers,
  });
await worker("Rosa", "research", ["It was built in 1790.", "It has turned without a break."]);
await worker("Will", "writing", ["Since 1790 the mill has turned without a break."]);

// A part is a task of the triage agent's, done by whoever the directory has for it.
const runPart = defineTool({
  name: "run_part",
  description: "Has one part of the work done by somebody who is good at it; research comes first.",
  input: z.object({ title: z.string(), capability: z.enum(["research", "writing"]) }),
  async run({ title, capability }, { turn, client, channel }) {
    const filter = { channel_id: channel.channelId, state: "completed", limit: 20 } as const;
    const found = (await client.hub.listTasks(filter)).map(({ result }) => String(result));
    if (capability === "writing" && found.length === 0) {
      return "Error: there is nothing to write about yet; run the research first";
    }
    const [peer] = await client.hub.listAgents({ capability, limit: 1 });
    if (peer === undefined) throw new Error(`nobody is good at ${capability}`);
    return turn.context.task({ title, capability }, {}, async (task) => {
      task.progress({ asked: peer.name });
      const result = await client.consult(peer.name, [title, ...found].join("\n"));
      task.complete(result);
      return result;
    });
  },
});
const part = (capability: string, title: string) => ({
  name: "run_part",
  arguments: { capability, title },
});
const triage = await stage.agent({
  name: "Triage",
  instructions:
    "Split the request into research and writing, run each part by the tool, then answer.",
  tools: [runPart],
  script: [
    {
      toolCalls: [
        part("writing", "One line about the mill."),
        part("research", "When was the mill built?"),
        part("research", "Has it ever stood still?"),
      ],
    },
    { toolCalls: [part("writing", "One line about the mill.")] },
    "Here it is: Since 1790 the mill has turned without a break.",
  ],
});

const channel = await hugo.open({ type: "consulting", target: "Triage" });
await hugo.say(channel.channelId, "A line about the mill, with its year.");
const { lines, reason } = await stage.end(channel.channelId);
assert.equal(reason, "consulting_complete");
stage.checkWords(lines[1]?.[1].startsWith("Here it is"), true);

const tasks = await stage.hub.listTasks({ agent_id: triage.agentId, limit: 20 });
for (const { spec, state, result } of tasks) {
  console.log(`${spec.capability}: ${spec.title} (${state}: ${String(result)})`);
  assert.equal(state, "completed");
}
const order = tasks.map(({ spec }) => spec.capability);
assert.notEqual(order[0], "writing", "nothing is written before something is found out");
stage.checkWords(order, ["research", "research", "writing"]);
const { observed } = await stage.hub.getResume(triage.agentId);
stage.checkWords([observed["research"]?.completed, observed["writing"]?.completed], [2, 1]);
