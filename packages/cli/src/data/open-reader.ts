import { existsSync } from "node:fs";
import { type Clock, silentLogger } from "@colloquy/protocol";
import { openSqliteStore, type SqliteStore } from "@colloquy/storage-sqlite";
import { CliError } from "../errors/cli-error.js";

/**
 * Opens a data file to read, beside a hub that may be running on it. Nothing is written and no
 * lock of the hub's is taken.
 *
 * @throws CliError when there is no such file, or it is no data file of Colloquy
 */
export async function openReader(path: string, clock: Clock): Promise<SqliteStore> {
  if (!existsSync(path)) {
    throw new CliError(`there is no data file ${path}.`, {
      remedy: "Name one with --data or COLLOQUY_DATA; `colloquy serve` makes one.",
    });
  }
  return await openSqliteStore({ path, readonly: true, clock, logger: silentLogger });
}
