import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DEPARTURES } from "./departures.js";
import { whyNotApplicable } from "./not-applicable.js";

/** Folder of the checks, one Python function per case. */
export const CHECKS = fileURLToPath(new URL("python", import.meta.url));
/** The cases are numbered from 1 to this. */
const LAST_CASE = 259;
const CHECK = /^async def (n_\d{3}(?:_departed)?)\(/gm;

/** What is claimed of one case. */
export interface Verdict {
  readonly number: number;
  readonly verdict: "held" | "not held" | "not applicable";
  /** Why it is not held or not applicable; empty for one that is held. */
  readonly reason: string;
}

/** Names of all checks: `n_001`, and `n_001_departed` for what happens instead. */
export function listChecks(): ReadonlySet<string> {
  const sources = readdirSync(CHECKS).filter((file) => file.endsWith(".py"));
  const text = sources.map((file) => readFileSync(join(CHECKS, file), "utf8")).join("\n");
  return new Set([...text.matchAll(CHECK)].map(([, name]) => name ?? ""));
}

/** What is claimed of every case. One that could cross a wire and has no check is not held. */
export function claimVerdicts(): readonly Verdict[] {
  const checks = listChecks();
  return Array.from({ length: LAST_CASE }, (_, index) => claim(index + 1, checks));
}

/** Share of the cases that can cross a wire and are held. */
export function heldShare(verdicts: readonly Verdict[]): number {
  const crossing = verdicts.filter(({ verdict }) => verdict !== "not applicable");
  return crossing.filter(({ verdict }) => verdict === "held").length / crossing.length;
}

/** `n_007` for 7. */
export function checkName(number: number): string {
  return `n_${String(number).padStart(3, "0")}`;
}

function claim(number: number, checks: ReadonlySet<string>): Verdict {
  const departure = DEPARTURES[number];
  if (departure !== undefined) {
    return { number, verdict: "not held", reason: `${departure.instead} (${departure.because})` };
  }
  if (checks.has(checkName(number))) return { number, verdict: "held", reason: "" };
  const reason = whyNotApplicable(number);
  if (reason !== null) return { number, verdict: "not applicable", reason };
  return { number, verdict: "not held", reason: "not checked" };
}
