import fc from "fast-check";
import { expect } from "vitest";
import { deepFreeze } from "../deep-freeze.js";
import { type AdapterSubject, foldAll, statesAlong } from "./adapter-scenario.js";
import { arbitraryEnvelope } from "./channel-envelopes.js";
import { admitWishes, arbitraryWishes, playWishes } from "./live-course.js";
import { expectSame } from "./same-json.js";

/** R1: any envelopes fold, twice and in two adapters to the same state. */
export function checkFoldIsTotal({ makeAdapter, scenario, runs }: AdapterSubject): void {
  const { channel } = scenario;
  const envelopes = fc.array(arbitraryEnvelope(channel), { maxLength: 16 });
  const property = fc.property(envelopes, (course) => {
    const adapter = makeAdapter();
    const other = makeAdapter();
    const first = foldAll(adapter, adapter.initialState(channel), course);
    expectSame(foldAll(adapter, adapter.initialState(channel), course), first);
    expectSame(foldAll(other, other.initialState(channel), course), first);
  });
  fc.assert(property, { numRuns: runs });
}

/** R1: what is admitted live folds to the same state on replay. */
export function checkReplay({ makeAdapter, scenario, runs }: AdapterSubject): void {
  const { channel } = scenario;
  const property = fc.property(arbitraryWishes(scenario), (wishes) => {
    const live = makeAdapter();
    const { admitted, state } = playWishes(live, channel, wishes);
    for (const adapter of [makeAdapter(), live]) {
      expectSame(foldAll(adapter, adapter.initialState(channel), admitted), state);
    }
  });
  fc.assert(property, { numRuns: runs });
}

/** R2: neither the state that a fold is given nor its envelope or channel changes. */
export function checkFoldMutatesNothing({ makeAdapter, scenario, runs }: AdapterSubject): void {
  const property = fc.property(arbitraryWishes(scenario), (wishes) => {
    const adapter = makeAdapter();
    const channel = deepFreeze(structuredClone(scenario.channel));
    let state = deepFreeze(adapter.initialState(channel));
    for (const wish of wishes) {
      const envelope = deepFreeze(structuredClone(wish.envelope));
      const before = JSON.stringify([channel, state, envelope]);
      const after = adapter.fold(state, envelope);
      adapter.onAccepted(channel, envelope, after);
      expect(JSON.stringify([channel, state, envelope])).toBe(before);
      state = deepFreeze(after);
    }
  });
  fc.assert(property, { numRuns: runs });
}

/** R2: a fold freezes nothing that belongs to others. */
export function checkFoldFreezesNothing({ makeAdapter, scenario }: AdapterSubject): void {
  const adapter = makeAdapter();
  const channel = structuredClone(scenario.channel);
  const course = structuredClone([...scenario.course]);
  statesAlong(adapter, channel, course);
  const frozen = [channel, channel.knobs, ...course, ...course.map((e) => e.event_data)];
  expect(frozen.filter((value) => Object.isFrozen(value))).toEqual([]);
}

/** R3: a state is plain JSON, and a snapshot of it with the rest of the course gives the same end. */
export function checkSnapshots({ makeAdapter, scenario, runs }: AdapterSubject): void {
  const { channel } = scenario;
  const input = fc.tuple(arbitraryWishes(scenario), fc.nat({ max: 16 }));
  const property = fc.property(input, ([wishes, at]) => {
    const course = admitWishes(makeAdapter(), channel, wishes);
    const adapter = makeAdapter();
    const states = statesAlong(adapter, channel, course);
    const cut = Math.min(at, course.length);
    const snapshot: unknown = JSON.parse(JSON.stringify(states[cut]));
    expectSame(snapshot, states[cut]);
    const restored = foldAll(makeAdapter(), snapshot, course.slice(cut));
    expectSame(restored, states.at(-1));
  });
  fc.assert(property, { numRuns: runs });
}
