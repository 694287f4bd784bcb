/** A hierarchy: a director asks team leads, each of whom asks the members of its own team. */
import assert from "node:assert/strict";
import { openStage } from "../stage/stage.js";

await using stage = await openStage(import.meta.url);
const hugo = await stage.person("Hugo");

const delegates = (target: string, prompt: string) => ({
  name: "delegate",
  arguments: { target, prompt },
});
const member = (name: string, task: string, answer: string) =>
  stage.agent({ name, instructions: `${task} Answer in one sentence.`, script: [answer] });
const lead = (name: string, team: readonly string[], answer: string) =>
  stage.agent({
    name,
    network: true,
    instructions: `You lead ${team.join(" and ")}. Delegate to each of them, then sum up in one sentence.`,
    script: [{ toolCalls: team.map((one) => delegates(one, `Your part, ${one}?`)) }, answer],
  });
await member("Joiner", "You make doors.", "Two doors, eight days.");
await member("Painter", "You paint.", "Three coats, four days.");
await member("Plumber", "You lay pipes.", "New pipes, six days.");
await lead("Interior", ["Joiner", "Painter"], "Doors and paint take twelve days.");
await lead("Pipework", ["Plumber"], "The pipes take six days.");
await stage.agent({
  name: "Director",
  network: true,
  instructions: "Delegate to Interior and to Pipework; then say how long the house takes.",
  script: [
    { toolCalls: [delegates("Interior", "How long?"), delegates("Pipework", "How long?")] },
    "Eighteen days, one after the other.",
  ],
});

const channel = await hugo.open({ type: "consulting", target: "Director" });
await hugo.say(channel.channelId, "How long will the house take?");
const { lines, reason } = await stage.end(channel.channelId);
assert.equal(reason, "consulting_complete");
stage.checkWords(lines[1], ["Director", "Eighteen days, one after the other."]);

// Every question hangs below the one that it was asked for.
const all = await stage.hub.listChannels({ limit: 100 });
const depthOf = (id: string | null | undefined): number => {
  const parent = all.find(({ channel_id }) => channel_id === id)?.parent_channel_id;
  return parent ? 1 + depthOf(parent) : 0;
};
const depths = all.map(({ channel_id }) => depthOf(channel_id)).sort();
console.log(`Channels by depth: ${depths.join(", ")}`);
stage.checkWords(depths, [0, 1, 1, 2, 2, 2]);
for (const { state } of all) assert.equal(state, "closed");
