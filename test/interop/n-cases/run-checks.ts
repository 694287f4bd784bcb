import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "@colloquy/testkit";
import { type HubProcess, startColloquyHub } from "../harness/hub-process.js";
import { startProcess } from "../harness/line-process.js";
import { PYTHON } from "../harness/prepare-python.js";
import { CHECKS } from "./verdicts.js";

const LIBRARY = fileURLToPath(new URL("../python", import.meta.url));
/** Longest time for all of them, in milliseconds. */
const ALL_CHECKS_MS = 240_000;
const CASES_WITH_KEYS = ["n187", "n188", "n193", "n193a", "n194", "n194a", "n195", "n195a", "n197"];

/** What came of one check; null when it held. */
export type Outcomes = ReadonlyMap<string, string | null>;

/** Runs every check through AG2's clients against hubs of its own, and ends them all. */
export async function runChecks(): Promise<Outcomes> {
  const hubs = await startHubs();
  try {
    return await collect(hubs);
  } finally {
    await Promise.all([...hubs.values()].map((hub) => hub[Symbol.asyncDispose]()));
  }
}

/** Hubs by the name that the checks know them by. */
async function startHubs(): Promise<ReadonlyMap<string, HubProcess>> {
  const keys = Object.fromEntries(CASES_WITH_KEYS.map((name) => [`${name}-member`, `${name}-key`]));
  const impatient = { limits: { inviteAckTimeoutMs: 200 } };
  return new Map([
    ["open", await startColloquyHub()],
    ["impatient", await startColloquyHub({}, impatient)],
    ["small", await startColloquyHub()],
    ["empty", await startColloquyHub()],
    ["durable", await startColloquyHub()],
    ["keys", await startColloquyHub(keys)],
  ]);
}

async function collect(hubs: ReadonlyMap<string, HubProcess>): Promise<Outcomes> {
  const outcomes = new Map<string, string | null>();
  let isOver = false;
  const addresses = Object.fromEntries([...hubs].map(([name, { url }]) => [name, url]));
  const args = [join(CHECKS, "main.py"), LIBRARY, JSON.stringify({ hubs: addresses })];
  const python = startProcess(PYTHON, args, (line) => {
    if ("restart" in line) {
      const hub = hubs.get(String(line["restart"]));
      void hub?.restart().then(() => python.send({ url: hub.url }));
    } else if ("over" in line) isOver = true;
    else outcomes.set(String(line["case"]), line["ok"] === true ? null : String(line["error"]));
  });
  try {
    await until(() => isOver, {
      timeoutMs: ALL_CHECKS_MS,
      describe: () => `the end of the checks; ${outcomes.size} are over. ${python.errors}`,
    });
  } finally {
    await python.kill();
  }
  return outcomes;
}
