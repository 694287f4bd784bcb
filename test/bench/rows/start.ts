import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fillStart } from "../data/fill-start.js";
import { startChild } from "../processes/child.js";
import { atMost, type MeasurementInput } from "../report/measurement.js";
import type { StartCommands, StartRun } from "../servers/start-process.js";
import type { Row, RowContext } from "./row.js";

const MAX_SECONDS = 2;
const MAX_BYTES = 300 * 1024 * 1024;

/** Starts of a hub on a big store, each in a fresh process that is killed afterwards. */
export const start: Row = {
  id: "start",
  async run(context) {
    const size = context.quick
      ? { envelopes: 100_000, channels: 1_000, open: 100 }
      : { envelopes: 1_000_000, channels: 10_000, open: 1_000 };
    const filled = await fillStart(context.keptFolder, size, context.progress);
    const path = join(context.folder, "start.db");
    copyFileSync(filled, path);
    const what = `${size.envelopes.toLocaleString("en-GB")} envelopes, ${size.open} of ${size.channels} channels open`;
    const killed = await startOften(context, path, size.open);
    await startOnce(context, path, true);
    const closed = await startOften(context, path, size.open);
    return [...describe(`after a kill, ${what}`, killed), ...describe("after a close", closed)];
  },
};

async function startOften(
  context: RowContext,
  path: string,
  openChannels: number,
): Promise<StartRun[]> {
  const runs: StartRun[] = [];
  for (let round = context.quick ? 1 : 0; round <= context.rounds; round += 1) {
    context.progress(round === 0 ? "warming up" : `start ${round} of ${context.rounds}`);
    const run = await startOnce(context, path, false);
    if (run.openChannels !== openChannels) {
      throw new Error(`${run.openChannels} channels came back instead of ${openChannels}`);
    }
    if (round > 0) runs.push(run);
  }
  return runs;
}

async function startOnce(context: RowContext, path: string, inOrder: boolean): Promise<StartRun> {
  const script = new URL("../servers/start-process.ts", import.meta.url);
  const child = startChild<StartCommands>(script, context.flags);
  try {
    const run = await child.call("start", path);
    if (inOrder) await child.call("close", undefined);
    return run;
  } finally {
    await child.kill();
  }
}

function describe(when: string, runs: readonly StartRun[]): MeasurementInput[] {
  return [
    {
      title: `start ${when}: time`,
      unit: "s",
      rounds: runs.map((run) => run.seconds),
      budget: atMost(MAX_SECONDS),
      details: [["until the store was open", "s", runs.map((run) => run.storeSeconds)]],
      note: "From opening the file until the hub takes connections; the file is in the system's cache.",
    },
    {
      title: `start ${when}: resident memory of the process`,
      unit: "bytes",
      rounds: runs.map((run) => run.residentBytes),
      budget: atMost(MAX_BYTES),
    },
  ];
}
