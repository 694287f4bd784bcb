import { statfsSync } from "node:fs";
import { dirname } from "node:path";

/** Bytes that this process may still write on the file system of a file; null where that cannot be told. */
export function freeBytesOf(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    return null;
  }
}
