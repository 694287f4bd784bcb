import { existsSync, renameSync, statSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock, Store } from "@colloquy/protocol";
import { foldName, silentLogger } from "@colloquy/protocol";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { lastRow } from "../data/last-row.js";
import { eachRecord } from "../data/read-pages.js";
import { refuseExisting } from "../data/refuse-existing.js";
import { CliError } from "../errors/cli-error.js";
import type { CheckedExport } from "./check-export.js";

/** A store that an import writes to. */
export interface ImportTarget {
  readonly store: Store;
  /** Its newest row before the import. */
  readonly lastRow: number;
  /** Envelopes that one commit may hold; a store that exists gets all in one. */
  readonly batchSize: number;
  /** Makes the import visible under the target's name. Throws `CliError` when that is taken by now. */
  finish(): Promise<void>;
  /** Leaves everything as it was. */
  abandon(): Promise<void>;
}

const SUFFIXES = ["", "-wal", "-shm", "-lock"] as const;
const BATCH = 1_000;

/**
 * Opens the store that an import goes to.
 *
 * A new file is written under another name and renamed when it is complete. A store that is there
 * already takes the import in one commit, so it too gets all or nothing.
 *
 * @throws CliError when the export cannot go into the store that is there
 */
export async function openTarget(
  path: string,
  clock: Clock,
  content: CheckedExport,
): Promise<ImportTarget> {
  return existsSync(path) ? openExisting(path, clock, content) : openNew(path, clock);
}

async function openNew(path: string, clock: Clock): Promise<ImportTarget> {
  const unfinished = `${path}.importing`;
  await mkdir(dirname(path), { recursive: true });
  refuseOrphanedLog(path);
  await removeStore(unfinished);
  const store = await openSqliteStore({ path: unfinished, clock, logger: silentLogger });
  return {
    store,
    lastRow: 0,
    batchSize: BATCH,
    async finish() {
      await store.close();
      try {
        moveTo(path, unfinished);
      } finally {
        await removeStore(unfinished);
      }
    },
    async abandon() {
      await store.close();
      await removeStore(unfinished);
    },
  };
}

/** A hub may have started there meanwhile; a file's log would be taken for that of the next one. */
function moveTo(path: string, unfinished: string): void {
  refuseExisting(path);
  refuseOrphanedLog(path);
  renameSync(unfinished, path);
}

/** What was acknowledged may be in it alone, and SQLite would mix it into another file of its name. */
function refuseOrphanedLog(path: string): void {
  const log = `${path}-wal`;
  const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  throw new CliError(`${path} is missing, but its log ${log} holds ${size} bytes.`, {
    remedy: "Restore the file, or move the log away.",
  });
}

async function removeStore(path: string): Promise<void> {
  for (const suffix of SUFFIXES) await rm(path + suffix, { force: true });
}

async function openExisting(
  path: string,
  clock: Clock,
  content: CheckedExport,
): Promise<ImportTarget> {
  const store = await openSqliteStore({ path, clock, logger: silentLogger });
  try {
    const row = await lastRow(store);
    await refuseKnownChannels(path, store, content);
    await refuseOlderEnvelopes(path, store, row, content);
    await refuseTakenNames(path, store, content);
    const close = () => store.close();
    return {
      store,
      lastRow: row,
      batchSize: Number.POSITIVE_INFINITY,
      finish: close,
      abandon: close,
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

const ELSEWHERE = "Import into a new file: name one with --data.";

async function refuseKnownChannels(
  path: string,
  store: Store,
  { channelIds }: CheckedExport,
): Promise<void> {
  for (const id of channelIds) {
    if ((await store.readChannel(id)) === null) continue;
    throw new CliError(`${path} holds channel ${id} already.`, { remedy: ELSEWHERE });
  }
}

/** A store's log is in the order of its ids; older envelopes cannot be put in behind it. */
async function refuseOlderEnvelopes(
  path: string,
  store: Store,
  row: number,
  { firstEnvelopeId }: CheckedExport,
): Promise<void> {
  const [newest] = row === 0 ? [] : await store.readLog(row - 1, 1);
  if (newest === undefined || firstEnvelopeId === "") return;
  if (firstEnvelopeId > newest.envelope_id) return;
  throw new CliError(`${path} holds envelopes newer than the oldest of the export.`, {
    remedy: ELSEWHERE,
  });
}

async function refuseTakenNames(
  path: string,
  store: Store,
  { agents }: CheckedExport,
): Promise<void> {
  const wanted = new Map([...agents].map(([id, name]) => [foldName(name), id]));
  for await (const { id, value } of eachRecord(store, "agent")) {
    const name = nameIn(value);
    const other = name === null ? undefined : wanted.get(foldName(name));
    if (other === undefined || other === id) continue;
    throw new CliError(`${path} holds another agent named ${JSON.stringify(name)}, or nearly so.`, {
      remedy: ELSEWHERE,
    });
  }
}

function nameIn(passport: string): string | null {
  try {
    const { name } = JSON.parse(passport) as { name?: unknown };
    return typeof name === "string" ? name : null;
  } catch {
    return null;
  }
}
