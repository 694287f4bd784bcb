import { realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InvalidInputError, StoreError } from "@colloquy/protocol";

/** A path that can hold a database, as far as the file system tells without opening it. */
export interface CheckedPath {
  /** Absolute, symbolic links resolved, so that one file has one name. */
  readonly path: string;
  /** True when there is a file with something in it. */
  readonly hasContent: boolean;
}

/**
 * Checks where a database is to be, before anything is opened or created.
 *
 * Nothing here may open and close the database file: that would drop the locks that another
 * connection of this process holds on it.
 *
 * @throws InvalidInputError for no path, or for SQLite's names of databases without a file
 * @throws StoreError for a folder, a missing folder, or (when `mustExist`) a missing file
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
    return { path: join(realpathSync(folder), basename(wanted)), hasContent: false };
  }
  if (found.isDirectory()) throw pathError(path, "it is a folder: give the path of a file in it");
  if (!found.isFile()) throw pathError(path, "it is no regular file: give the path of one");
  return { path: realpathSync(wanted), hasContent: found.size > 0 };
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
