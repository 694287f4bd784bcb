/** Chance that depends on a seed alone. */
export interface Dice {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number from 0 up to, and not including, `below`. */
  int(below: number): number;
  chance(probability: number): boolean;
  /** One of the items; undefined when there is none. */
  pick<T>(items: readonly T[]): T | undefined;
  /** Some of the items, at least `min` as far as there are so many, in a new order. */
  some<T>(items: readonly T[], min: number, max: number): T[];
  hex(length: number): string;
  /** Other dice, whose throws do not depend on how often these are thrown from now on. */
  fork(): Dice;
}

/** Makes {@link Dice} (the generator is the one known as mulberry32). */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (items) => items[int(items.length)],
    some(items, min, max) {
      const left = [...items];
      const count = Math.min(left.length, min + int(max - min + 1));
      return Array.from({ length: count }, () => left.splice(int(left.length), 1)).flat();
    },
    hex: (length) => Array.from({ length }, () => int(16).toString(16)).join(""),
    fork: () => createDice(int(0x1_0000_0000)),
  };
}
