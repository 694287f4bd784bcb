import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

/** What the command line asks for. */
export interface BenchOptions {
  readonly quick: boolean;
  readonly rounds: number;
  /** Ids of the rows to run; empty for all. */
  readonly only: readonly string[];
  /** Where the report goes as JSON. */
  readonly json: string;
  /** Where databases are kept and made. Must be on a real disk, or a commit costs nothing. */
  readonly folder: string;
  /** Where processes with a hub write a CPU profile; null for nowhere. */
  readonly profile: string | null;
  readonly help: boolean;
}

const ROUNDS = 9;
const QUICK_ROUNDS = 1;

export const USAGE = `npm run bench -- [options]

  --only <row>       run this row only; may be repeated
  --rounds <n>       rounds per row; ${ROUNDS} by default
  --quick            small amounts and ${QUICK_ROUNDS} round: shows that it runs, not how fast
  --json <file>      where the report goes; test/bench/results/latest.json by default
  --folder <folder>  where databases are made; must be on a real disk
  --profile <folder> write CPU profiles of the processes that carry a hub
  --help             show this
`;

/**
 * Reads the command line.
 *
 * @param known - ids of the rows that there are
 * @throws TypeError that names what is wrong
 */
export function readOptions(args: readonly string[], known: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string", multiple: true, default: [] },
      rounds: { type: "string" },
      quick: { type: "boolean", default: false },
      json: { type: "string" },
      folder: { type: "string" },
      profile: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  const only = values.only.flatMap((ids) => ids.split(","));
  for (const id of only) {
    if (!known.includes(id)) throw new TypeError(`no row "${id}"; there are ${known.join(", ")}`);
  }
  const rounds = Number(values.rounds ?? (values.quick ? QUICK_ROUNDS : ROUNDS));
  if (!Number.isSafeInteger(rounds) || rounds < 1) {
    throw new TypeError(`--rounds takes a whole number from 1 up, got ${values.rounds ?? ""}`);
  }
  return {
    quick: values.quick,
    rounds,
    only,
    json: values.json ?? join(import.meta.dirname, "results", "latest.json"),
    folder: values.folder ?? join(tmpdir(), "colloquy-bench"),
    profile: values.profile ?? null,
    help: values.help,
  };
}
