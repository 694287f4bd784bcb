import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is there for one test. */
export interface TempFolder extends Disposable {
  readonly path: string;
  /** A path inside. */
  at(...names: string[]): string;
}

/** Makes an empty folder in the system's place for temporary files; `using` removes it with all that is in it. */
export function makeTempFolder(): TempFolder {
  const path = mkdtempSync(join(tmpdir(), "colloquy-"));
  return {
    path,
    at: (...names) => join(path, ...names),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
