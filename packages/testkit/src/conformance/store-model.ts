import fc from "fast-check";
import { describe, it } from "vitest";
import { faulty } from "../faults/faulty-store.js";
import type { StoreFactory } from "./store/store-subject.js";
import { arbitraryCommands } from "./store-model/commands.js";
import { expectEqual } from "./store-model/compare.js";
import { createPlainModel } from "./store-model/plain-model.js";

/** Options of {@link runStoreModel}. */
export interface StoreModelOptions {
  /** Sequences of commands to try; default 50. */
  readonly runs?: number;
  /** Milliseconds for all of them; default 60,000. */
  readonly timeoutMs?: number;
}

/**
 * Defines the property that a store behaves like plain lists under random commits, refusals, faults,
 * restarts and crashes.
 *
 * @param name - the implementation, for the report
 * @param factory - makes a fresh, empty subject; called once per sequence
 */
export function runStoreModel(
  name: string,
  factory: StoreFactory,
  { runs = 50, timeoutMs = 60_000 }: StoreModelOptions = {},
): void {
  describe(`store ${name}`, () => {
    it(
      "R1 to R6: equals a plain list under random commands and faults",
      async () => {
        const property = fc.asyncProperty(arbitraryCommands, async (commands) => {
          const subject = await factory();
          try {
            const model = createPlainModel();
            const real = { subject, store: faulty(subject.store) };
            await fc.asyncModelRun(() => ({ model, real }), commands);
            await expectEqual(real.store, model);
          } finally {
            await subject.dispose();
          }
        });
        await fc.assert(property, { numRuns: runs });
      },
      timeoutMs,
    );
  });
}
