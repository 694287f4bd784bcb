/** Redundancy: three agents answer the same question at the same time, and a judge compares what they say. */
import assert from "node:assert/strict";
import { defineTool } from "@colloquy/client";
import * as z from "zod";
import { openStage } from "../stage/stage.js";

await using stage = await openStage(import.meta.url);
const hugo = await stage.person("Hugo");
const experts = ["Anna", "Bela", "Cleo"] as const;
const answers = { Anna: "1,024", Bela: "1,024", Cleo: "1,000" };
for (const name of experts) {
  await stage.agent({
    name,
    instructions: "Answer with a number and nothing else.",
    script: [answers[name]],
  });
}

// One who does not answer in time costs the others nothing.
const askAll = defineTool({
  name: "ask_all",
  description: "Puts one question to all three experts; gives their answers by name.",
  input: z.object({ question: z.string() }),
  async run({ question }, { client, signal }) {
    const asked = experts.map(async (name) => {
      const options = { timeoutMs: 60_000, signal };
      return [
        name,
        await client.consult(name, question, options).catch(() => "no answer"),
      ] as const;
    });
    return Object.fromEntries(await Promise.all(asked));
  },
});
await stage.agent({
  name: "Judge",
  instructions: "Ask all experts by the tool; then say which answer most of them gave.",
  tools: [askAll],
  script: [
    { toolCalls: [{ name: "ask_all", arguments: { question: "How much is two to the tenth?" } }] },
    "It is 1,024: two of three say so.",
  ],
});

const channel = await hugo.open({ type: "consulting", target: "Judge" });
await hugo.say(channel.channelId, "How much is two to the tenth?");
const { lines, reason } = await stage.end(channel.channelId);
assert.equal(reason, "consulting_complete");
assert.equal(lines.length, 2);
stage.checkWords(lines[1], ["Judge", "It is 1,024: two of three say so."]);

const opened = await stage.hub.listChannels({ limit: 100 });
const asked = opened.filter(({ parent_channel_id }) => parent_channel_id === channel.channelId);
console.log(`${asked.length} experts were asked in channels of their own.`);
for (const { close_reason } of asked) assert.equal(close_reason, "consulting_complete");
stage.checkWords(asked.length, 3);
