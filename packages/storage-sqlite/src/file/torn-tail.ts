import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import type { Database } from "better-sqlite3";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const SALT_BYTES = 8;

/**
 * Tells whether the journal ends in a commit that was never finished, as after a crash in its
 * middle. SQLite drops such an end by itself; nobody was told that it was stored.
 *
 * Call it after opening and before the first write. It moves finished commits into the database.
 *
 * @returns a sentence for the log, or null
 */
export function findTornTail(db: Database, path: string): string | null {
  const wal = `${path}-wal`;
  if (!existsSync(wal)) return null;
  const [state] = db.pragma("wal_checkpoint(PASSIVE)") as { readonly log: number }[];
  const bytes = tornBytes(wal, Math.max(0, state?.log ?? 0));
  return bytes === 0
    ? null
    : `the last process ended in the middle of a commit: ${bytes} unfinished bytes of ${wal} are dropped`;
}

/** SQLite holds no lock on the journal's file itself, so it may be opened and closed here. */
function tornBytes(wal: string, wholeFrames: number): number {
  const file = openSync(wal, "r");
  try {
    const { size } = fstatSync(file);
    if (size < HEADER_BYTES) return size;
    const header = readAt(file, 0, HEADER_BYTES);
    const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(8);
    const end = HEADER_BYTES + wholeFrames * frameBytes;
    const rest = size - end;
    if (rest <= 0) return 0;
    if (rest < FRAME_HEADER_BYTES) return rest;
    // Frames of an earlier use of the file carry another salt; those are left over and mean nothing.
    const salt = readAt(file, end + 8, SALT_BYTES);
    const isCurrent = salt.equals(header.subarray(16, 16 + SALT_BYTES));
    return isCurrent || salt.every((byte) => byte === 0) ? rest : 0;
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, position);
  return bytes;
}
