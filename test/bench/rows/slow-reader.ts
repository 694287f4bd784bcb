import { join } from "node:path";
import type { MeasurementInput } from "../report/measurement.js";
import type { Row, RowContext } from "./row.js";
import { withProcesses } from "./with-processes.js";

const MIB = 1024 * 1024;
/** Characters of each text. */
const TEXT_LENGTH = 64 * 1024;

interface Flood {
  /** How far the process rose above where it was before. */
  readonly peak: number;
  /** What it still held after collection, with the reader still connected. */
  readonly held: number;
  readonly accepted: number;
}

/** The hub's memory while one reader has stopped reading, beside a reader who reads, against the knob. */
export const slowReader: Row = {
  id: "slow-reader",
  async run(context) {
    const envelopes = context.quick ? 300 : 3_000;
    const lines: MeasurementInput[] = [];
    for (const knob of context.quick ? [MIB] : [MIB, 8 * MIB]) {
      const slow: Flood[] = [];
      const fast: Flood[] = [];
      for (let round = 1; round <= context.rounds; round += 1) {
        context.progress(`knob ${knob / MIB} MiB, round ${round} of ${context.rounds}`);
        const path = join(context.folder, `${knob}-${round}`);
        slow.push(await flood(context, { path: `${path}-slow.db`, knob, envelopes, reads: false }));
        fast.push(await flood(context, { path: `${path}-fast.db`, knob, envelopes, reads: true }));
      }
      lines.push(describe(knob, envelopes, slow, fast));
    }
    return lines;
  },
};

interface FloodShape {
  readonly path: string;
  readonly knob: number;
  readonly envelopes: number;
  readonly reads: boolean;
}

function flood(context: RowContext, { path, knob, envelopes, reads }: FloodShape): Promise<Flood> {
  return withProcesses(context, async ({ server, load }) => {
    const url = await server.call("openHub", { path, limits: { maxBufferedBytes: knob } });
    const wanted = { prefix: "flood", lanes: 1, channels: 1 };
    const [plan] = await server.call("openLanes", wanted);
    const voice = plan?.voices[0];
    const [senderName = "", readerName = ""] = plan?.names ?? [];
    if (voice === undefined) throw new Error("there is no channel");
    const before = await server.call("usage", { collect: true });
    await server.call("startWatch", undefined);
    const { accepted } = await load.call("flood", {
      url,
      ...voice,
      senderName,
      readerName,
      reads,
      envelopes,
      textLength: TEXT_LENGTH,
    });
    const peak = await server.call("endWatch", undefined);
    const after = await server.call("usage", { collect: true });
    return {
      peak: peak - before.residentBytes,
      held: after.heapBytes - before.heapBytes,
      accepted,
    };
  });
}

function describe(
  knob: number,
  envelopes: number,
  slow: readonly Flood[],
  fast: readonly Flood[],
): MeasurementInput {
  const offered = (envelopes * TEXT_LENGTH) / MIB;
  return {
    title: `memory that a slow reader adds ÷ its knob of ${knob / MIB} MiB, ${offered.toFixed(0)} MiB offered`,
    unit: "ratio",
    rounds: slow.map(({ held }, round) => (held - (fast[round]?.held ?? 0)) / knob),
    details: [
      ["held after collection, reader stopped", "bytes", slow.map(({ held }) => held)],
      ["held after collection, reader reading", "bytes", fast.map(({ held }) => held)],
      ["rise of the process, reader stopped", "bytes", slow.map(({ peak }) => peak)],
      ["rise of the process, reader reading", "bytes", fast.map(({ peak }) => peak)],
      ["posts accepted, reader stopped", "count", slow.map(({ accepted }) => accepted)],
    ],
    note: "What is held with a reader that reads is taken off. Bounded means: near or below 1, whatever is offered.",
  };
}
