/**
 * AG2's hub and Colloquy's, side by side in one run: the same clients, the same machine. It never
 * passes or fails. Options: `--rounds <n>` (9), `--texts <n>` (400 per round with 64 under way; a
 * quarter of it one at a time).
 */
import { parseArgs } from "node:util";
import {
  type HubProcess,
  startAg2Hub,
  startColloquyHub,
} from "../../interop/harness/hub-process.js";
import { setup } from "../../interop/harness/prepare-python.js";
import { describeMachine } from "../report/machine.js";
import { median, ratios, spread } from "../report/statistics.js";
import { openColloquyLoad } from "./colloquy-load.js";
import type { Load } from "./load.js";
import { openPythonLoad } from "./python-load.js";

const MANY = 64;
const HUBS = ["colloquy", "ag2"] as const;
type Kind = (typeof HUBS)[number];

const CLIENTS: readonly (readonly [name: string, open: (url: string) => Promise<Load>])[] = [
  ["AG2's clients", openPythonLoad],
  ["Colloquy's clients", openColloquyLoad],
];

/** Rounds per hub: texts per second, and the median latency of a post in ms. */
interface Series {
  readonly perSecond: number[];
  readonly latencyMs: number[];
}

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "9" },
    texts: { type: "string", default: "400" },
  },
});
const rounds = Number(values.rounds);
const texts = Number(values.texts);
if (!(Number.isInteger(rounds) && rounds > 0 && Number.isInteger(texts) && texts >= MANY)) {
  throw new RangeError(`rounds and texts: give whole numbers, texts at least ${MANY}`);
}

setup();
const machine = describeMachine();
process.stdout.write(
  `${machine.processor}, ${machine.cores} cores, Node ${machine.node}; ${rounds} rounds\n`,
);
process.stdout.write(
  "| clients | under way | Colloquy/s | AG2/s | Colloquy ÷ AG2 | AG2 ÷ Colloquy | latency, Colloquy ms | AG2 ms | AG2 ÷ Colloquy |\n",
);
process.stdout.write("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
for (const [name, open] of CLIENTS) {
  for (const underWay of [1, MANY]) {
    const row = await measure(open, underWay, underWay === 1 ? Math.ceil(texts / 4) : texts);
    process.stdout.write(`| ${name} | ${underWay} | ${show(row)} |\n`);
  }
}

/** Both hubs in every round, taking turns in going first; a round before the first is thrown away. */
async function measure(
  open: (url: string) => Promise<Load>,
  underWay: number,
  count: number,
): Promise<Record<Kind, Series>> {
  const hubs: Record<Kind, HubProcess> = {
    colloquy: await startColloquyHub(),
    ag2: await startAg2Hub({}, { store: "disk" }),
  };
  const loads: Record<Kind, Load> = {
    colloquy: await open(hubs.colloquy.url),
    ag2: await open(hubs.ag2.url),
  };
  const series: Record<Kind, Series> = {
    colloquy: { perSecond: [], latencyMs: [] },
    ag2: { perSecond: [], latencyMs: [] },
  };
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const order = round % 2 === 0 ? HUBS : [...HUBS].reverse();
      for (const kind of order) {
        const { seconds, latenciesMs } = await loads[kind].round(count, underWay);
        if (round === 0) continue;
        series[kind].perSecond.push(count / seconds);
        series[kind].latencyMs.push(median(latenciesMs));
      }
    }
  } finally {
    for (const kind of HUBS) {
      await loads[kind].close();
      await hubs[kind][Symbol.asyncDispose]();
    }
  }
  return series;
}

function show({ colloquy, ag2 }: Record<Kind, Series>): string {
  const faster = spread(ratios(colloquy.perSecond, ag2.perSecond));
  const sooner = spread(ratios(ag2.latencyMs, colloquy.latencyMs));
  const ends = ({ median: middle, min, max }: typeof faster) =>
    `${middle.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})`;
  return [
    ...[median(colloquy.perSecond).toFixed(0), median(ag2.perSecond).toFixed(0), ends(faster)],
    ends(spread(ratios(ag2.perSecond, colloquy.perSecond))),
    ...[median(colloquy.latencyMs).toFixed(2), median(ag2.latencyMs).toFixed(2), ends(sooner)],
  ].join(" | ");
}
