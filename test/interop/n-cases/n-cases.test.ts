import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { DEPARTURES } from "./departures.js";
import { PAGE, renderPage, renderTable } from "./render-page.js";
import { type Outcomes, runChecks } from "./run-checks.js";
import { checkName, claimVerdicts, heldShare, listChecks } from "./verdicts.js";

/** Least share of the cases which can cross a wire that must be held. */
const LEAST_HELD = 0.95;
const ALL_MS = 300_000;

describe("the N-cases, through AG2's own client", () => {
  const verdicts = claimVerdicts();
  const checks = listChecks();
  let outcomes: Outcomes = new Map();

  beforeAll(async () => {
    outcomes = await runChecks();
    process.stdout.write(`${renderTable(verdicts)}\n`);
  }, ALL_MS);

  it("ran every check", () => {
    expect([...outcomes.keys()].sort()).toEqual([...checks].sort());
  });

  it.each(verdicts.filter(({ verdict }) => verdict === "held"))("$number holds", ({ number }) => {
    expect(outcomes.get(checkName(number))).toBeNull();
  });

  it.each(Object.keys(DEPARTURES).map(Number))("%i departs as the page says", (number) => {
    expect(outcomes.get(checkName(number))).toMatch(/AssertionError|NetworkError/);
    expect(outcomes.get(`${checkName(number)}_departed`)).toBeNull();
  });

  it("has a check for each case that can cross a wire, and none for others", () => {
    expect(verdicts.filter(({ reason }) => reason === "not checked")).toEqual([]);
    const checked = verdicts.filter(({ number }) => checks.has(checkName(number)));
    expect(checked.filter(({ verdict }) => verdict === "not applicable")).toEqual([]);
  });

  it("holds at least 95 % of them", () => {
    const seen = verdicts.map((one) =>
      one.verdict === "held" && outcomes.get(checkName(one.number)) !== null
        ? { ...one, verdict: "not held" as const }
        : one,
    );
    expect(heldShare(seen)).toBeGreaterThanOrEqual(LEAST_HELD);
  });

  it("stands on the page", () => {
    const page = readFileSync(PAGE, "utf8");
    expect(page).toBe(renderPage(page, verdicts));
  });
});
