import { type Logger, StoreError } from "@colloquy/protocol";
import type { Database } from "better-sqlite3";
import type { Transactor } from "../file/transactor.js";
import { readSchemaVersion } from "./identify.js";
import { APPLICATION_ID, MIGRATIONS, type Migration } from "./migrations.js";

/** What {@link migrate} works on. */
export interface MigrationContext {
  readonly db: Database;
  readonly transact: Transactor;
  readonly path: string;
  readonly logger: Logger;
}

/**
 * Brings a database to the newest schema version, one transaction per step: a step that fails, or a
 * process that is killed, leaves the version before it.
 *
 * @param steps - for tests; default: all that there are
 * @returns what was done, in sentences
 * @throws StoreError that names the step that failed
 */
export function migrate(
  { db, transact, path, logger }: MigrationContext,
  steps: readonly Migration[] = MIGRATIONS,
): string[] {
  const from = readSchemaVersion(db, path, steps.length);
  const done: string[] = [];
  for (let version = from; version < steps.length; version += 1) {
    const step = steps[version];
    if (step === undefined) break;
    try {
      transact.write(() => {
        step.apply(db);
        db.pragma(`application_id = ${APPLICATION_ID}`);
        db.pragma(`user_version = ${version + 1}`);
      });
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new StoreError(
        `the store ${path} could not be brought from schema version ${version} to ${version + 1} ` +
          `(${step.title}): ${why}. It is unchanged; restore a backup or run the earlier Colloquy`,
        { cause, details: { path, reason: "migration", version } },
      );
    }
    if (from > 0) {
      done.push(`schema brought from version ${version} to ${version + 1}: ${step.title}`);
      logger.info({ path, version: version + 1 }, step.title);
    }
  }
  return done;
}
