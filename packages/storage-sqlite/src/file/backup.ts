import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "@colloquy/protocol";
import type { Database } from "better-sqlite3";
import { checkPath } from "./check-path.js";
import { storeFault } from "./store-fault.js";

/** Pages that are copied between two turns of the event loop. */
const PAGES_PER_STEP = 256;

/** How far a backup is. */
export interface BackupProgress {
  readonly total_pages: number;
  readonly remaining_pages: number;
}

/** What {@link backUp} works on. */
export interface BackupContext {
  readonly db: Database;
  /** The store's own file. */
  readonly path: string;
  /** True for a reader: what the owner writes meanwhile would make a stepwise copy start over. */
  readonly atOnce: boolean;
}

/**
 * Copies a database that is in use. The copy is a whole store of one moment; it takes its name only
 * when it is complete and on the disk.
 *
 * @param target - path of the copy; nothing may be there yet
 * @param onProgress - called between steps; what it throws ends the backup
 * @throws StoreError when the target cannot be written; nothing is left there then
 */
export async function backUp(
  { db, path, atOnce }: BackupContext,
  target: string,
  onProgress: (progress: BackupProgress) => void,
): Promise<void> {
  const { path: place } = checkPath(target, false);
  if (existsSync(place)) {
    throw new StoreError(`the backup ${target} exists already: give another path or remove it`, {
      details: { path: target },
    });
  }
  const partial = `${place}.partial`;
  rmSync(partial, { force: true });
  try {
    if (atOnce) db.prepare("VACUUM INTO ?").run(partial);
    else await copyInSteps(db, partial, onProgress);
    syncPath(partial);
    renameSync(partial, place);
    syncPath(dirname(place));
  } catch (error) {
    rmSync(partial, { force: true });
    throw storeFault(error, `backing up to ${target}`, path);
  }
}

async function copyInSteps(
  db: Database,
  partial: string,
  onProgress: (progress: BackupProgress) => void,
): Promise<void> {
  await db.backup(partial, {
    progress({ totalPages, remainingPages }) {
      onProgress({ total_pages: totalPages, remaining_pages: remainingPages });
      return PAGES_PER_STEP;
    },
  });
}

function syncPath(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
