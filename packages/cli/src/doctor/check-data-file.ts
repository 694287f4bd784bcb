import { existsSync } from "node:fs";
import { type Clock, isNetworkError, silentLogger } from "@colloquy/protocol";
import { inspectStore, openSqliteStore, type SqliteStore } from "@colloquy/storage-sqlite";
import type { ChannelTypes } from "../channels/channel-types.js";
import { countOf, formatBytes } from "../output/format-values.js";
import { type Check, fail, ok } from "./check.js";
import { checkChannels } from "./check-channels.js";
import { checkDisk, checkJournal } from "./check-space.js";

/** Checks a data file and what lies beside it. Reads only, beside a hub that may be running. */
export async function checkDataFile(
  path: string,
  clock: Clock,
  types: ChannelTypes,
): Promise<Check[]> {
  if (!existsSync(path)) {
    const remedy = "Name one with --data or COLLOQUY_DATA; `colloquy serve` makes one.";
    return [fail("data file", `there is no ${path}`, remedy)];
  }
  let store: SqliteStore;
  try {
    store = await openSqliteStore({ path, readonly: true, clock, logger: silentLogger });
  } catch (error) {
    if (!isNetworkError(error)) throw error;
    return [
      fail(
        "data file",
        error.message,
        "A backup is restored by copying it to this path while no hub runs.",
      ),
    ];
  }
  try {
    const { bytes, details } = store.health();
    const version = String(details?.["schema_version"] ?? "?");
    return [
      ok("data file", `${path}, ${formatBytes(bytes ?? 0)}, schema version ${version}`),
      ...(await checkInside(path, store, types)),
      await checkDisk(path),
      checkJournal(path),
    ];
  } finally {
    await store.close();
  }
}

async function checkInside(
  path: string,
  store: SqliteStore,
  types: ChannelTypes,
): Promise<Check[]> {
  const { problems, holder } = await inspectStore(path);
  const checks: Check[] = [
    holder === null
      ? ok("owner", "no hub holds it")
      : ok("owner", `held by process ${holder.pid} on ${holder.host} since ${holder.since}`),
  ];
  if (problems.length > 0) {
    const message = `${countOf(problems.length, "problem")}: ${problems.slice(0, 3).join("; ")}`;
    return [
      ...checks,
      fail(
        "integrity",
        message,
        "Restore a backup, or salvage it with the sqlite3 tool's .recover.",
      ),
    ];
  }
  return [
    ...checks,
    ok("integrity", "the file's structure is sound"),
    ...(await checkChannels(store, types)),
  ];
}
