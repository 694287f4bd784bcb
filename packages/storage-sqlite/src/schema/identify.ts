import { StoreError } from "@colloquy/protocol";
import type { Database } from "better-sqlite3";
import { APPLICATION_ID, MIGRATIONS } from "./migrations.js";

/** Reads a database's schema version: 0 for an empty one.
 *
 * @param known - the newest version that this program knows
 * @throws StoreError for a database of another program or of a newer version
 */
export function readSchemaVersion(
  db: Database,
  path: string,
  known: number = MIGRATIONS.length,
): number {
  const version = Number(db.pragma("user_version", { simple: true }));
  if (Number(db.pragma("application_id", { simple: true })) !== APPLICATION_ID) {
    const { objects } = db.prepare("SELECT count(*) AS objects FROM sqlite_schema").get() as {
      objects: number;
    };
    if (objects === 0 && version === 0) return 0;
    throw new StoreError(
      `${path} is a SQLite database of another program: give the store a file of its own`,
      { details: { path, reason: "foreign" } },
    );
  }
  if (version > known) {
    throw new StoreError(
      `the store ${path} has schema version ${version}, newer than version ${known} that this ` +
        "program knows: run a newer Colloquy",
      { details: { path, reason: "newer", version, known } },
    );
  }
  return version;
}
