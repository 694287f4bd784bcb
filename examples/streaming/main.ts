/** Streaming: a terminal shows what three agents write while they write it; the log has it whole. */
import assert from "node:assert/strict";
import { openStage } from "../stage/stage.js";

await using stage = await openStage(import.meta.url);
const hugo = await stage.person("Hugo");
const speaker = (name: string, view: string, text: string) =>
  stage.agent({
    name,
    instructions: `You discuss with two others. You ${view}. One short sentence each time.`,
    script: [text],
  });
const agents = [
  await speaker("Ada", "are for trams", "Trams carry more people and make less noise."),
  await speaker("Bert", "are for buses", "Buses go wherever there is a street."),
  await speaker("Cora", "look for the middle", "Trams where many ride, buses for the rest."),
];

// Pieces are for the eye: some may get lost, and the envelope that follows has all of it.
const shown = new Map<string, string[]>();
let speaking = "";
hugo.onDelta(({ sender_id, text }) => {
  const name = stage.hub.nameFor(sender_id);
  shown.set(name, [...(shown.get(name) ?? []), text]);
  process.stdout.write(name === speaking ? text : `\n${name}> ${text}`);
  speaking = name;
});

const target = agents.map(({ name }) => name);
const channel = await hugo.open({ type: "discussion", target, knobs: { max_turns: 4 } });
await hugo.say(channel.channelId, "Trams or buses for the new quarter?");
process.stdout.write("\n\n");
const { lines, reason } = await stage.end(channel.channelId);
assert.equal(reason, "max_turns");
assert.deepEqual(
  lines.map(([name]) => name),
  ["Hugo", ...target],
);
for (const [name, text] of lines.slice(1)) {
  const pieces = (shown.get(name) ?? []).filter((piece) => piece.trim() !== "");
  assert.ok(pieces.length > 0, `pieces of ${name} were shown`);
  let at = 0;
  for (const piece of pieces) {
    at = text.indexOf(piece.trim(), at);
    assert.ok(at >= 0, `'${piece}' of ${name} stands in the text, behind the pieces before it`);
    at += piece.trim().length;
  }
}
