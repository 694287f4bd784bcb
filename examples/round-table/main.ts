/** Three models talk in turn; the recordings beside this file are what a small model on this machine said. */
import assert from "node:assert/strict";
import { openStage } from "../stage/stage.js";

await using stage = await openStage(import.meta.url);
const speaker = (name: string, role: string, script: readonly string[]) =>
  stage.agent({
    name,
    instructions: `You are ${role}. Say in one short sentence what you would plant, and why.`,
    script,
    maxTokens: 40,
  });
const gita = await speaker("Gita", "a gardener", ["Beans feed the soil, so beans first."]);
const karl = await speaker("Karl", "a cook", [
  "Herbs: every dish needs some.",
  "With thyme, then.",
]);
await speaker("Mona", "a child", ["Strawberries!", "And strawberries!"]);

// Each sees the others write.
const writing = new Set<string>();
for (const one of [gita, karl]) {
  one.onDelta(({ sender_id }) => writing.add(stage.hub.nameFor(sender_id)));
}

const channel = await gita.open({
  type: "discussion",
  target: ["Karl", "Mona"],
  knobs: { max_turns: 6 },
});
await channel.send("What shall we plant in the new garden bed?");
const { lines, reason } = await stage.end(channel.channelId);

assert.equal(reason, "max_turns");
const speakers = ["Gita", "Karl", "Mona"];
assert.deepEqual(
  lines.map(([name]) => name),
  [...speakers, ...speakers],
);
for (const [name, text] of lines) assert.ok(text.trim() !== "", `${name} says something`);
assert.deepEqual([...writing].sort(), speakers);
