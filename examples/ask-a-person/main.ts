/** A model that asks a person before it acts, and takes no for an answer. */
import assert from "node:assert/strict";
import { defineTool } from "@colloquy/client";
import { EV_TEXT } from "@colloquy/protocol";
import * as z from "zod";
import { openStage } from "../stage/stage.js";

await using stage = await openStage(import.meta.url);
const hugo = await stage.person("Hugo");
const mira = await stage.person("Mira");

// What a page would do: show the question, send what is typed.
const asked: string[] = [];
mira.onEnvelope(async ({ event_type, event_data, channel_id, envelope_id }) => {
  if (event_type !== EV_TEXT) return;
  const question = String(event_data["text"]);
  asked.push(question);
  await mira.say(channel_id, /two/i.test(question) ? "No, one is enough." : "Yes.", {
    causationId: envelope_id,
  });
});

const paid = new Map<string, number>();
const buy = defineTool({
  name: "buy",
  description: "Buys chairs, once Mira has agreed to the number.",
  input: z.object({ chairs: z.number().int().positive() }),
  async run({ chairs }, { client, key }) {
    const answer = await client.consult(
      "Mira",
      `May I buy ${chairs === 1 ? "one chair" : "two chairs"}?`,
    );
    if (!/^yes/i.test(answer)) return `Error: Mira does not agree: ${answer}`;
    // The key stays the same if this turn has to be run again: nobody pays twice.
    if (!paid.has(key)) paid.set(key, chairs);
    return `bought ${chairs}`;
  },
});
await stage.agent({
  name: "Clerk",
  instructions: "Buy what is asked for by the tool. If Mira does not agree, do as she says.",
  tools: [buy],
  script: [
    { toolCalls: [{ name: "buy", arguments: { chairs: 2 } }] },
    { toolCalls: [{ name: "buy", arguments: { chairs: 1 } }] },
    "Mira wanted one chair only; it is bought.",
  ],
});

const channel = await hugo.open({ type: "consulting", target: "Clerk" });
await hugo.say(channel.channelId, "Two chairs for the reading room, please.");
const { lines, reason } = await stage.end(channel.channelId);
assert.equal(reason, "consulting_complete");
console.log(`Mira was asked: ${asked.join(" ")}`);
stage.checkWords(lines[1], ["Clerk", "Mira wanted one chair only; it is bought."]);
stage.checkWords(asked, ["May I buy two chairs?", "May I buy one chair?"]);
stage.checkWords([...paid.values()], [1]);
