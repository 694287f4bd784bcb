import type { LinkPeer, Store, StoreBatch } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { type SimulationOptions, simulate } from "./simulate.js";

const STEPS = 150;
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/** Why a run did not hold. */
async function failureOf(seed: number, options: Partial<SimulationOptions>): Promise<string> {
  try {
    await simulate(seed, { steps: STEPS, ...options });
    return "it held";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A store whose commits go wrong from the nth on that has envelopes. */
function badCommits(store: Store, nth: number, bad: (batch: StoreBatch) => Promise<void>): Store {
  let count = 0;
  return {
    ...store,
    commit(batch) {
      if (batch.envelopes.length > 0) count += 1;
      return count >= nth && batch.envelopes.length > 0 ? bad(batch) : store.commit(batch);
    },
  };
}

describe("a hub, its clients, a disk and a network under one seed", () => {
  it.each(SEEDS)("keep every promise, seed %i", async (seed) => {
    const run = await simulate(seed, { steps: STEPS });
    expect(run.channels).toBeGreaterThan(0);
    expect(run.deliveries).toBeGreaterThan(run.envelopes / 4);
  });

  it("are the same in every run of one seed, and different in another", async () => {
    const [first, again, other] = [
      await simulate(77, { steps: STEPS }),
      await simulate(77, { steps: STEPS }),
      await simulate(78, { steps: STEPS }),
    ];
    expect(again).toEqual(first);
    expect(other.digest).not.toBe(first.digest);
  });
});

describe("a broken promise is noticed:", () => {
  it("a disk that says it has written and has not", async () => {
    const store = (inner: Store) => badCommits(inner, 4, async () => undefined);
    const failure = await failureOf(2, { sabotage: { store } });
    expect(failure).toMatch(/^seed 2, .*before the disk had it/);
    expect(failure).toContain("what happened last:");
  });

  it("a disk that changes what it has", async () => {
    const store = (inner: Store): Store => ({
      ...inner,
      commit: (batch) =>
        inner.commit({
          ...batch,
          envelopes: batch.envelopes.map((stored) => ({
            ...stored,
            body: stored.body.replace('"word ', '"other '),
          })),
        }),
    });
    const failure = await failureOf(2, { sabotage: { store } });
    expect(failure).toMatch(/is quarantined|"kind": "content"|a fold gives/);
  });

  it("a hub that forgets a recipient", async () => {
    const peer = (inner: LinkPeer): LinkPeer => ({
      ...inner,
      get bufferedBytes() {
        return inner.bufferedBytes;
      },
      notify(delivery) {
        if (delivery.position !== 6) inner.notify(delivery);
      },
    });
    const failure = await failureOf(7, { sabotage: { peer } });
    expect(failure).toMatch(/does not come to rest:\n- .*(never got|outstanding|owes)/);
  });

  it("a hub that changes the order", async () => {
    const peer = (inner: LinkPeer): LinkPeer => {
      let held: (() => void) | null = null;
      return {
        ...inner,
        get bufferedBytes() {
          return inner.bufferedBytes;
        },
        notify(delivery) {
          if (held === null) {
            held = () => inner.notify(delivery);
            return;
          }
          inner.notify(delivery);
          held();
          held = null;
        },
      };
    };
    expect(await failureOf(7, { sabotage: { peer } })).toMatch(/saw \d+ of [0-9a-f]+ behind \d+/);
  });
});
