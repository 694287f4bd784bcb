/**
 * Redundancy: several answer the same question at the same time, each in its own way and without
 * knowing of the others, and a judge compares. One who is missing costs the others nothing.
 */
import assert from "node:assert/strict";
import { defineTool } from "@colloquy/client";
import * as z from "zod";
import { openStage } from "../stage/stage.js";

await using stage = await openStage(import.meta.url);
const hugo = await stage.person("Hugo");
const expert = (name: string, way: string, answer: string) =>
  stage.agent({ name, instructions: `${way} Answer with one number.`, script: [answer] });
await expert("Anna", "Multiply step by step.", "1,024");
await expert("Bela", "Say what you know by heart.", "1,024");
await expert("Cleo", "Estimate.", "1,000");
// Dora is asked as well, and is not there.
const experts = ["Anna", "Bela", "Cleo", "Dora"];

let answers: Readonly<Record<string, string>> = {};
const askAll = defineTool({
  name: "ask_all",
  description: "Puts one question to all experts; gives their answers by name.",
  input: z.object({ question: z.string() }),
  async run({ question }, { client, signal }) {
    const asked = experts.map(async (name) => {
      const answer = client.consult(name, question, { timeoutMs: 60_000, signal });
      return [name, await answer.catch(() => "no answer")] as const;
    });
    answers = Object.fromEntries(await Promise.all(asked));
    return answers;
  },
});
await stage.agent({
  name: "Judge",
  instructions: "Ask all experts by the tool; then say which answer most of them gave.",
  tools: [askAll],
  script: [
    { toolCalls: [{ name: "ask_all", arguments: { question: "How much is two to the tenth?" } }] },
    "It is 1,024: two of the three who answered say so.",
  ],
});

const channel = await hugo.open({ type: "consulting", target: "Judge" });
await hugo.say(channel.channelId, "How much is two to the tenth?");
const { lines, reason } = await stage.end(channel.channelId);
assert.equal(reason, "consulting_complete");
assert.equal(lines.length, 2);
stage.checkWords(lines[1], ["Judge", "It is 1,024: two of the three who answered say so."]);

const opened = await stage.hub.listChannels({ limit: 100 });
const asked = opened.filter(({ parent_channel_id }) => parent_channel_id === channel.channelId);
console.log(`${asked.length} experts were asked in channels of their own.`);
for (const { close_reason } of asked) assert.equal(close_reason, "consulting_complete");
stage.checkWords(asked.length, 3);
stage.checkWords(answers, { Anna: "1,024", Bela: "1,024", Cleo: "1,000", Dora: "no answer" });
