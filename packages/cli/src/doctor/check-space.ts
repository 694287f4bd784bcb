import { statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { formatBytes } from "../output/format-values.js";
import { type Check, fail, ok, warn } from "./check.js";

const MIB = 1024 * 1024;
/** Below this a hub soon stops taking envelopes. */
const FAIL_FREE_BYTES = 64 * MIB;
const WARN_FREE_BYTES = 1024 * MIB;
/** The journal is emptied far below this, unless something keeps it from being. */
const WARN_JOURNAL_BYTES = 64 * MIB;

/** Checks the room on the disk of a data file. */
export async function checkDisk(dataPath: string): Promise<Check> {
  const { bavail, bsize } = await statfs(dirname(dataPath));
  const free = bavail * bsize;
  const message = `${formatBytes(free)} free beside the data file`;
  const remedy = "Free some space, or move the data file to another disk.";
  if (free < FAIL_FREE_BYTES) return fail("disk", message, remedy);
  return free < WARN_FREE_BYTES ? warn("disk", message, remedy) : ok("disk", message);
}

/** Checks the size of the journal beside a data file. */
export function checkJournal(dataPath: string): Check {
  const bytes = statSync(`${dataPath}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const message = `${formatBytes(bytes)} in the journal`;
  if (bytes < WARN_JOURNAL_BYTES) return ok("journal", message);
  return warn(
    "journal",
    message,
    "A long read by another program may keep it from being emptied: end that, or restart the hub.",
  );
}
