import { parseTimestamp } from "@colloquy/protocol";
import type { WaitingFacts } from "../facts.js";
import { listNames } from "../sentence.js";
import { about, type Finding, type Rule } from "./finding.js";
import { nextForAll } from "./next-step.js";

/** Nobody has the turn, but somebody is expected to speak. */
export const expectationPending: Rule = (facts) => {
  const { expectation, violators } = facts;
  if (facts.active === null || expectation === null || violators.length === 0) return null;
  return {
    cause: "expectation_pending",
    lead: "Waiting",
    rest: ` for ${listNames(violators)} to speak, as '${expectation.expectation.name}' expects`,
    awaited: violators,
    since: parseTimestamp(expectation.since),
    next: nextForAll(facts),
  };
};

/** All is dealt with, and anybody may speak. */
export const nobodyExpected = (facts: WaitingFacts): Finding =>
  about(
    "nobody_expected",
    "Waiting for nobody: all that was said has been dealt with, and anybody may speak",
    nextForAll(facts),
  );
