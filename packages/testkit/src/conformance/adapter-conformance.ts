import type { ChannelAdapter } from "@colloquy/protocol";
import { describe, it } from "vitest";
import type { AdapterScenario, AdapterSubject } from "./adapter/adapter-scenario.js";
import { checkCreate, checkKnobs, checkManifest } from "./adapter/create-rules.js";
import {
  checkDrafts,
  checkOffers,
  checkPrepare,
  checkRendering,
  checkRounds,
} from "./adapter/encoding-rules.js";
import {
  checkFoldFreezesNothing,
  checkFoldIsTotal,
  checkFoldMutatesNothing,
  checkReplay,
  checkSnapshots,
} from "./adapter/fold-rules.js";
import {
  checkCourse,
  checkExpectedNext,
  checkProtocolEvents,
  checkReassign,
  checkRefusals,
} from "./adapter/turn-rules.js";

/** Options of {@link runAdapterConformance}. */
export interface AdapterConformanceOptions {
  /** Arbitrary courses per rule; default 100. */
  readonly runs?: number;
}

/**
 * Every rule of the port `ChannelAdapter`, with the number that the port gives it, and a check that
 * throws when an adapter breaks it.
 */
export const ADAPTER_RULES: Readonly<Record<string, (subject: AdapterSubject) => void>> = {
  "declares a manifest of the right shape": checkManifest,
  "takes the scenario's knobs and refuses an unknown one by its name": checkKnobs,
  "accepts the scenario's course and ends as it says": checkCourse,
  "R1: folds any envelopes, always to the same state": checkFoldIsTotal,
  "R1: folds on replay what it folded live": checkReplay,
  "R2: leaves state, envelope and channel as they are": checkFoldMutatesNothing,
  "R2: freezes nothing that belongs to others": checkFoldFreezesNothing,
  "R3: gives the same state from a snapshot and the rest as from everything": checkSnapshots,
  "R4: lets protocol events pass and leaves the turn alone": checkProtocolEvents,
  "R5: refuses with ProtocolError and nothing else": checkRefusals,
  "R6: has an initial state for every channel that it accepts": checkCreate,
  "expects only participants, and accepts what they say": checkExpectedNext,
  "hands a turn on to another participant, who is expected then": checkReassign,
  "renders any envelope, and never to something blank": checkRendering,
  "builds text and packet envelopes that pass the hub's checks": checkDrafts,
  "ends rounds with envelopes that it accepts itself": checkRounds,
  "prepares payloads that pass the hub's checks": checkPrepare,
  "offers each tool once and a view to everybody": checkOffers,
};

/**
 * Defines the tests that every channel adapter passes, once per scenario.
 *
 * @param name - what is proven, for the test report
 * @param makeAdapter - a new adapter for each test
 * @param scenarios - channels of the type; give one per knob that changes the rules
 * @throws Error when there is no scenario, because then nothing would be proven
 */
export function runAdapterConformance(
  name: string,
  makeAdapter: () => ChannelAdapter,
  scenarios: readonly AdapterScenario[],
  { runs = 100 }: AdapterConformanceOptions = {},
): void {
  if (scenarios.length === 0) throw new Error(`adapter conformance: ${name} has no scenario`);
  describe(`adapter conformance: ${name}`, () => {
    describe.each(scenarios)("$name", (scenario) => {
      it.each(Object.entries(ADAPTER_RULES))("%s", (_rule, check) => {
        check({ makeAdapter, scenario, runs });
      });
    });
  });
}
