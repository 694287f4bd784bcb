import type { Clock, Logger } from "@colloquy/protocol";
import type { Deadlines } from "./core/deadlines.js";

/** What a sweeper does each time. It may be asynchronous: the next run starts after it has ended. */
export type Sweep = () => void | Promise<void>;

/** Work of one's own that a hub runs again and again. */
export interface Sweepers {
  /**
   * Runs `sweep` every `intervalMs`, for the first time after one interval. A failure is logged and
   * the next run comes all the same.
   *
   * @throws TypeError for a name that is taken or empty, or an interval that is no number above 0
   */
  register(name: string, intervalMs: number, sweep: Sweep): void;
  /** Resolves when a run under way has ended; none follows. False when there was no such sweeper. */
  unregister(name: string): Promise<boolean>;
  /** Ends all of them; resolves when the runs under way have ended. */
  stop(): Promise<void>;
}

/** What {@link createSweepers} works on. */
export interface SweeperPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly deadlines: Pick<Deadlines, "set" | "clear">;
}

interface Sweeper {
  readonly name: string;
  readonly intervalMs: number;
  readonly sweep: Sweep;
  running: Promise<void>;
}

/** Makes the {@link Sweepers} of a hub. */
export function createSweepers({ clock, logger, deadlines }: SweeperPorts): Sweepers {
  const sweepers = new Map<string, Sweeper>();
  let isStopped = false;

  const runOnce = async ({ name, sweep }: Sweeper): Promise<void> => {
    try {
      await sweep();
    } catch (error) {
      logger.error({ err: error, sweeper: name }, "a sweeper failed; it runs again in its time");
    }
  };
  const arm = (sweeper: Sweeper): void => {
    if (sweepers.get(sweeper.name) !== sweeper) return;
    deadlines.set(keyOf(sweeper.name), clock.now() + sweeper.intervalMs, () => {
      sweeper.running = runOnce(sweeper).then(() => arm(sweeper));
    });
  };
  return {
    register(name, intervalMs, sweep) {
      if (isStopped) throw new TypeError(`sweeper '${name}': the hub has closed`);
      if (name === "") throw new TypeError("a sweeper needs a name");
      if (sweepers.has(name)) {
        throw new TypeError(`sweeper '${name}' is already registered; unregister it first`);
      }
      if (!Number.isFinite(intervalMs) || intervalMs <= 0) {
        throw new TypeError(
          `sweeper '${name}': intervalMs must be a number above 0, got ${intervalMs}`,
        );
      }
      const sweeper: Sweeper = { name, intervalMs, sweep, running: Promise.resolve() };
      sweepers.set(name, sweeper);
      arm(sweeper);
    },
    async unregister(name) {
      const sweeper = sweepers.get(name);
      if (sweeper === undefined) return false;
      sweepers.delete(name);
      deadlines.clear(keyOf(name));
      await sweeper.running;
      return true;
    },
    async stop() {
      isStopped = true;
      const all = [...sweepers.values()];
      sweepers.clear();
      for (const { name } of all) deadlines.clear(keyOf(name));
      await Promise.all(all.map(({ running }) => running));
    },
  };
}

function keyOf(name: string): string {
  return `sweeper ${name}`;
}
