import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { auditOfKey, createKeyRing, DEFAULT_HUB_LIMITS, type KeyRing } from "@colloquy/hub";
import {
  type Clock,
  createIdSource,
  createSecretSource,
  EMPTY_BATCH,
  formatTimestamp,
  isNetworkError,
  type Store,
  type StoredRecord,
  silentLogger,
} from "@colloquy/protocol";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { openReader } from "../data/open-reader.js";
import { eachRecord } from "../data/read-pages.js";
import { CliError } from "../errors/cli-error.js";
import type { KeyKeeper } from "./key-keeper.js";

/** Mode of a folder that is made for a data file. */
const OWNER_ONLY = 0o700;

/** How the keys of a data file are opened. */
export type KeyAccess = "read" | "change" | "create";

/**
 * The keys of a data file. To read them a hub may be running on it; to change them none may, because
 * it would not hear of it.
 *
 * @param access - `create` makes the file where there is none
 * @throws CliError when there is no such file, or a hub runs on it
 */
export async function openStoredKeys(
  path: string,
  clock: Clock,
  access: KeyAccess,
): Promise<KeyKeeper> {
  const store = access === "read" ? await openReader(path, clock) : await open(path, clock, access);
  try {
    const ring = await readRing(store, clock);
    return {
      issue: (input) => ring.issue(input, "command line"),
      rotate: (keyId, input) => ring.rotate(keyId, input, "command line"),
      revoke: (keyId) => ring.revoke(keyId, "command line"),
      list: async (name) => ring.list(name),
      close: () => store.close(),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function open(path: string, clock: Clock, access: KeyAccess): Promise<Store> {
  if (access === "create") await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY });
  else if (!existsSync(path)) {
    throw new CliError(`there is no data file ${path}.`, {
      remedy: "Name one with --data or COLLOQUY_DATA.",
    });
  }
  try {
    return await openSqliteStore({ path, clock, logger: silentLogger });
  } catch (cause) {
    if (!isNetworkError(cause)) throw cause;
    throw new CliError(`the keys in ${path} cannot be changed: ${cause.message}.`, {
      cause,
      remedy: "If a hub runs on it, name its address with --hub and your key in COLLOQUY_TOKEN.",
    });
  }
}

async function readRing(store: Store, clock: Clock): Promise<KeyRing> {
  const ring = createKeyRing({
    clock,
    ids: createIdSource({ clock }),
    secrets: createSecretSource(),
    logger: silentLogger,
    maxKeys: DEFAULT_HUB_LIMITS.maxApiKeys,
    write(records, change) {
      const audit = [{ at: formatTimestamp(clock.now()), ...auditOfKey(change) }];
      return store.commit({ ...EMPTY_BATCH, records, audit });
    },
  });
  const records: StoredRecord[] = [];
  for await (const record of eachRecord(store, "key")) records.push(record);
  ring.restore(records);
  return ring;
}
