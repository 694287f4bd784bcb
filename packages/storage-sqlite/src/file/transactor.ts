import type { Database } from "better-sqlite3";

/** Runs functions inside transactions of one connection. */
export interface Transactor {
  /**
   * Takes the write lock, runs the work and commits; all of it is stored or, when anything throws,
   * nothing. The work must be synchronous: a promise is refused and nothing is written.
   */
  write<T>(work: () => T): T;
  /** Runs reads on one unchanging state of the database. */
  read<T>(work: () => T): T;
}

/** Prepares a {@link Transactor}. */
export function createTransactor(db: Database): Transactor {
  const beginWrite = db.prepare("BEGIN IMMEDIATE");
  const beginRead = db.prepare("BEGIN DEFERRED");
  const commit = db.prepare("COMMIT");
  const rollback = db.prepare("ROLLBACK");
  const run = <T>(begin: { run(): unknown }, work: () => T): T => {
    refuseAsync(work);
    begin.run();
    try {
      const result = work();
      refusePromise(result);
      commit.run();
      return result;
    } catch (error) {
      // SQLite rolls back by itself after some failures.
      if (db.inTransaction) rollback.run();
      throw error;
    }
  };
  return {
    write: (work) => run(beginWrite, work),
    read: (work) => run(beginRead, work),
  };
}

const REFUSAL = "a transaction takes a synchronous function: await before it, not inside";

/** What an async function writes after its first `await` would land outside the transaction. */
function refuseAsync(work: () => unknown): void {
  if (work.constructor.name === "AsyncFunction") throw new TypeError(REFUSAL);
}

function refusePromise(result: unknown): void {
  if (typeof result !== "object" || result === null) return;
  if (typeof Reflect.get(result, "then") === "function") throw new TypeError(REFUSAL);
}
