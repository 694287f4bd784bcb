import type { Clock, Timer } from "@colloquy/protocol";
import type { Deadlines } from "./deadlines.js";

interface Entry {
  readonly key: string;
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Stale entries that may lie in the heap before it is cleaned, beyond as many as are alive. */
const SLACK = 64;

/**
 * Deadlines in a binary heap. Moving or clearing one leaves a stale entry behind, which is skipped
 * when it comes up and swept out when there are more stale ones than live ones.
 *
 * Times are of the wall clock: after a timer, whatever is due by the clock runs, and the timer is
 * armed again for what is not, so that a clock set back or a long sleep does no harm.
 */
export function createDeadlines(clock: Clock): Deadlines {
  const alive = new Map<string, Entry>();
  let heap: Entry[] = [];
  let timer: Timer | null = null;
  let timerAt = Number.POSITIVE_INFINITY;
  let orders = 0;
  let stopped = false;

  const disarm = (): void => {
    timer?.cancel();
    timer = null;
    timerAt = Number.POSITIVE_INFINITY;
  };
  const dropStale = (): void => {
    for (let top = heap[0]; top !== undefined && alive.get(top.key) !== top; top = heap[0]) {
      popTop(heap);
    }
    if (heap.length <= 2 * alive.size + SLACK) return;
    heap = [...alive.values()].sort((a, b) => (isBefore(a, b) ? -1 : 1));
  };
  const arm = (): void => {
    if (stopped) return;
    dropStale();
    const next = heap[0];
    if (next === undefined) {
      disarm();
      return;
    }
    if (timer !== null && timerAt === next.at) return;
    disarm();
    timerAt = next.at;
    timer = clock.setTimer(Math.max(0, next.at - clock.now()), () => {
      timer = null;
      timerAt = Number.POSITIVE_INFINITY;
      runDue();
    });
  };
  const runDue = (): number => {
    const now = clock.now();
    const newest = orders;
    let ran = 0;
    for (;;) {
      dropStale();
      const next = heap[0];
      // What a run sets for the past waits for the timer, so that no run can hold the thread.
      if (next === undefined || next.at > now || next.order > newest) break;
      popTop(heap);
      alive.delete(next.key);
      ran += 1;
      next.run();
    }
    arm();
    return ran;
  };

  return {
    set(key, at, run) {
      if (stopped) return;
      orders += 1;
      const entry = { key, at, order: orders, run };
      alive.set(key, entry);
      push(heap, entry);
      arm();
    },
    clear(key) {
      if (alive.delete(key)) arm();
    },
    runDue,
    get size() {
      return alive.size;
    },
    stop() {
      stopped = true;
      alive.clear();
      heap = [];
      disarm();
    },
  };
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.at === b.at ? a.order < b.order : a.at < b.at;
}

function push(heap: Entry[], entry: Entry): void {
  let index = heap.length;
  heap.push(entry);
  while (index > 0) {
    const up = (index - 1) >> 1;
    const parent = heap[up];
    if (parent === undefined || !isBefore(entry, parent)) break;
    heap[index] = parent;
    index = up;
  }
  heap[index] = entry;
}

function popTop(heap: Entry[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let index = 0;
  for (;;) {
    const left = 2 * index + 1;
    const right = heap[left + 1];
    const first = heap[left];
    if (first === undefined) break;
    const down = right !== undefined && isBefore(right, first) ? left + 1 : left;
    const child = heap[down];
    if (child === undefined || !isBefore(child, last)) break;
    heap[index] = child;
    index = down;
  }
  heap[index] = last;
}
