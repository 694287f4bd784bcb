/**
 * Folds the logs in a file of JSON lines, one channel each, with nothing but the channel types: a day
 * later by its clock, and whatever reaches for a network, a timer, the clock or the dice fails.
 */
import { readFileSync } from "node:fs";
import net from "node:net";
import { createDefaultAdapters } from "@colloquy/adapters";
import { type ChannelMetadata, channelAtStart, type Envelope } from "@colloquy/protocol";

interface Line {
  readonly metadata: ChannelMetadata;
  readonly wal: readonly Envelope[];
}

const [path = ""] = process.argv.slice(2);
const lines = readFileSync(path, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Line);

const deny = (what: string) => () => {
  throw new Error(`a fold may not use ${what}`);
};

function foldAll(): unknown[] {
  return lines.map(({ metadata, wal }) => {
    const adapter = createDefaultAdapters().find(
      ({ manifest }) => manifest.type === metadata.manifest.type,
    );
    if (adapter === undefined) throw new Error(`no adapter for ${metadata.manifest.type}`);
    return wal.reduce<unknown>(
      (state, envelope) => adapter.fold(state, envelope),
      adapter.initialState(channelAtStart(metadata)),
    );
  });
}

const real = { setTimeout, setInterval, setImmediate, now: Date.now, random: Math.random };
net.Socket.prototype.connect = deny("a network");
Object.assign(globalThis, {
  fetch: deny("a network"),
  setTimeout: deny("a timer"),
  setInterval: deny("a timer"),
  setImmediate: deny("a timer"),
});
Date.now = deny("the clock");
Math.random = deny("the dice");
const folded = [foldAll(), foldAll()];
const { now, random, ...timers } = real;
Object.assign(globalThis, timers);
Object.assign(Date, { now });
Object.assign(Math, { random });
process.stdout.write(`${JSON.stringify(folded)}\n`);
