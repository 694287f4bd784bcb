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
// A real model may have spoken through its tool `say`, which speaks in one piece.
for (const [name, text] of lines.slice(1)) {
  const pieces = shown.get(name) ?? [];
  stage.checkWords([pieces.length > 0, isMadeOf(text, pieces)], [true, true]);
}

/** Whether the pieces stand in the text, one behind the other; some may be missing. */
function isMadeOf(text: string, pieces: readonly string[]): boolean {
  let at = 0;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}
