import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is there for one test. */
export interface TempFolder extends Disposable {
  readonly path: string;
  /** A path inside. */
  at(...names: string[]): string;
}

/**
 * Makes an empty folder; `using` removes it with all that is in it.
 *
 * @param parent - where; default: the system's place for temporary files
 */
export function makeTempFolder(parent: string = tmpdir()): TempFolder {
  const path = mkdtempSync(join(parent, "colloquy-"));
  return {
    path,
    at: (...names) => join(path, ...names),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
