import { realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InvalidInputError, StoreError } from "@colloquy/protocol";

/** A path that can hold a database, as far as the file system tells without opening it. */
export interface CheckedPath {
  /** Absolute, symbolic links resolved, so that one file has one name. */
  readonly path: string;
  /** True when there is a file with something in it. */
  readonly hasContent: boolean;
  /** True when the file has other names beside this one, which no lock and no journal knows. */
  readonly hasOtherNames: boolean;
}

/**
 * Checks where a database is to be, before anything is opened or created.
 *
 * Nothing here may open and close the database file: that would drop the locks that another
 * connection of this process holds on it.
 *
 * @throws InvalidInputError for no path, or for SQLite's names of databases without a file
 * @throws StoreError for a folder, a missing folder, (when `mustExist`) a missing file, or no file
 *   beside a log that has something in it
 */
export function checkPath(path: string, mustExist: boolean): CheckedPath {
  if (path === "" || path.startsWith(":") || path.startsWith("file:")) {
    const remedy = "Give the path of a file; use @colloquy/storage-memory for a store in memory.";
    throw new InvalidInputError(`field path: received "${path}". ${remedy}`, {
      field: "path",
      received: "string",
      remedy,
    });
  }
  const wanted = resolve(path);
  const folder = dirname(wanted);
  if (!look(folder)?.isDirectory()) {
    throw pathError(path, `its folder ${folder} does not exist: create the folder first`);
  }
  const found = look(wanted);
  if (found === null) {
    if (mustExist) throw pathError(path, "there is no such file: check the path");
    const place = join(realpathSync(folder), basename(wanted));
    refuseOrphanedLog(place);
    return { path: place, hasContent: false, hasOtherNames: false };
  }
  if (found.isDirectory()) throw pathError(path, "it is a folder: give the path of a file in it");
  if (!found.isFile()) throw pathError(path, "it is no regular file: give the path of one");
  const place = realpathSync(wanted);
  if (found.size === 0) refuseOrphanedLog(place);
  return { path: place, hasContent: found.size > 0, hasOtherNames: found.nlink > 1 };
}

/** SQLite throws such a log away without a word, and what was acknowledged may be in it alone. */
function refuseOrphanedLog(path: string): void {
  const log = `${path}-wal`;
  const size = look(log)?.size ?? 0;
  if (size === 0) return;
  throw pathError(
    path,
    `it is missing or empty, but its log ${log} holds ${size} bytes: restore the file, or move the log away to begin anew`,
  );
}

/**
 * Refuses to own a file that has several names: an owner by another name would not be seen, and
 * each would write a journal of its own.
 *
 * @throws StoreError
 */
export function refuseOtherNames({ path, hasOtherNames }: CheckedPath): void {
  if (!hasOtherNames) return;
  throw pathError(
    path,
    "it has other names, by hard links: remove them, or copy it to a file of its own",
  );
}

function look(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (cause) {
    throw new StoreError(`the store ${path} cannot be opened: its folder cannot be read`, {
      cause,
      details: { path },
    });
  }
}

function pathError(path: string, why: string): StoreError {
  return new StoreError(`the store ${path} cannot be opened: ${why}`, { details: { path } });
}
