import { type Store, StoreError, type WalRange } from "@colloquy/protocol";
import fc from "fast-check";
import { expect } from "vitest";
import { type FaultyStore, faulty } from "../../faults/faulty-store.js";
import type { StoreSubject } from "../store/store-subject.js";
import { arbitraryPlan, type BatchPlan, realise } from "./batch-plan.js";
import { adoptLazyPart, expectEqual } from "./compare.js";
import { applyToModel, type PlainModel, walOf } from "./plain-model.js";

/** The store beside its model. */
export interface RealStore {
  readonly subject: StoreSubject;
  /** The newest opening, behind a wrapper. */
  store: FaultyStore;
}

type Command = fc.AsyncCommand<PlainModel, RealStore>;

/** A command from a name and what it does. */
function command(
  name: string,
  run: (model: PlainModel, real: RealStore) => Promise<void>,
): Command {
  return { check: () => true, run, toString: () => name };
}

const commit = (plan: BatchPlan) =>
  command(`commit ${fc.stringify(plan)}`, async (model, { store }) => {
    const batch = realise(plan, model);
    await store.commit(batch);
    applyToModel(model, batch);
  });

/** R3: one envelope of the batch comes twice, so none of it may be stored. */
const refused = (plan: BatchPlan) =>
  command(`refused ${fc.stringify(plan)}`, async (model, { store }) => {
    const mark = model.make.mark();
    const batch = realise(plan, model);
    const twice = batch.envelopes.at(-1);
    if (twice === undefined) {
      await store.commit(batch);
      return applyToModel(model, batch);
    }
    const bad = { ...batch, envelopes: [...batch.envelopes, twice] };
    await expect(store.commit(bad)).rejects.toBeInstanceOf(StoreError);
    model.make.rewind(mark);
  });

const failing = (plan: BatchPlan) =>
  command(`failing ${fc.stringify(plan)}`, async (model, { store }) => {
    const mark = model.make.mark();
    const batch = realise(plan, model);
    store.failNext("commit");
    await expect(store.commit(batch)).rejects.toBeInstanceOf(StoreError);
    expect(store.health().healthy).toBe(false);
    model.make.rewind(mark);
  });

/** The disk fails in the middle of a commit, and the process is killed before it can do anything. */
const torn = (plan: BatchPlan, outcome: "written" | "lost") =>
  command(`torn, ${outcome} ${fc.stringify(plan)}`, async (model, real) => {
    const mark = model.make.mark();
    const batch = realise(plan, model);
    real.store.tearNext(outcome);
    await expect(real.store.commit(batch)).rejects.toBeInstanceOf(StoreError);
    real.store = faulty(await real.subject.crash());
    if (outcome === "written") applyToModel(model, batch);
    else model.make.rewind(mark);
    await adoptLazyPart(real.store, model);
  });

const reopen = command("reopen", async (model, real) => {
  await real.store.close();
  await expect(real.store.readLog(0)).rejects.toBeInstanceOf(StoreError);
  real.store = faulty(await real.subject.reopen());
  await expectEqual(real.store, model);
});

const crash = command("crash", async (model, real) => {
  real.store = faulty(await real.subject.crash());
  await adoptLazyPart(real.store, model);
  await expectEqual(real.store, model);
});

const compare = command("compare", (model, { store }) => expectEqual(store, model));

const readRange = (channel: number, range: WalRange) =>
  command(`readWal ${channel} ${fc.stringify(range)}`, async (model, { store }) => {
    const ids = [...model.channels.keys()];
    const channelId = ids[channel % Math.max(1, ids.length)] ?? "unknown";
    const wal = walOf(model, channelId);
    const inRange = wal
      .slice(0, range.upTo ?? wal.length)
      .slice(range.after ?? 0)
      .slice(range.last === undefined ? 0 : -range.last || wal.length);
    const page = inRange.slice(0, range.last === undefined ? range.limit : undefined);
    const more = page.length < inRange.length;
    expect(await store.readWal(channelId, range)).toEqual({
      envelopes: page,
      next: more ? (page.at(-1)?.position ?? 0) : null,
      head: wal.length,
    });
    await expectSingles(store, page.at(-1)?.envelope_id, page);
  });

async function expectSingles(
  store: Store,
  id: string | undefined,
  page: readonly unknown[],
): Promise<void> {
  if (id === undefined) return;
  expect(await store.readEnvelope(id)).toEqual(page.at(-1));
  expect(await store.readEnvelope(`${id}x`)).toBeNull();
}

const optional = (max: number, min = 0) => fc.option(fc.integer({ min, max }), { nil: undefined });
const arbitraryRange: fc.Arbitrary<WalRange> = fc
  .record({ after: optional(40), upTo: optional(40), last: optional(20), limit: optional(20, 1) })
  .map((range) =>
    Object.fromEntries(Object.entries(range).filter(([, value]) => value !== undefined)),
  );

/** Sequences of commands; commits are the most frequent. */
export const arbitraryCommands = fc.commands<PlainModel, RealStore, false>(
  [
    arbitraryPlan.map(commit),
    arbitraryPlan.map(commit),
    arbitraryPlan.map(commit),
    arbitraryPlan.map(refused),
    arbitraryPlan.map(failing),
    fc
      .tuple(arbitraryPlan, fc.constantFrom("written", "lost"))
      .map(([plan, outcome]) => torn(plan, outcome)),
    fc.constant(reopen),
    fc.constant(crash),
    fc.constant(compare),
    fc.tuple(fc.nat(9), arbitraryRange).map(([channel, range]) => readRange(channel, range)),
  ],
  { maxCommands: 30 },
);
