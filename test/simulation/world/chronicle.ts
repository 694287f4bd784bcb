import { createHash } from "node:crypto";
import type { Clock } from "@colloquy/protocol";

/** Everything that happens in a run, in order. Two runs are the same if their digests are. */
export interface Chronicle {
  note(what: string, facts?: Readonly<Record<string, unknown>>): void;
  readonly count: number;
  /** The newest lines, for people. */
  last(count: number): readonly string[];
  digest(): string;
}

/**
 * Makes an empty {@link Chronicle}.
 *
 * @param onLine - hears every line at once
 */
export function createChronicle(clock: Clock, onLine: (line: string) => void): Chronicle {
  const lines: string[] = [];
  const startMs = clock.now();
  return {
    note(what, facts = {}) {
      const line = `${clock.now() - startMs} ${what} ${JSON.stringify(facts)}`;
      lines.push(line);
      onLine(line);
    },
    get count() {
      return lines.length;
    },
    last: (count) => lines.slice(-count),
    digest() {
      const hash = createHash("sha256");
      for (const line of lines) hash.update(`${line}\n`);
      return hash.digest("hex");
    },
  };
}
