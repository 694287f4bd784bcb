import type { SqliteStore } from "@colloquy/storage-sqlite";
import type { Command } from "commander";
import { DEFAULT_DATA_FILE } from "../config/serve-settings.js";
import { openReader } from "../data/open-reader.js";
import type { ExitCode } from "../errors/cli-error.js";
import type { Host } from "../host/host.js";
import { createOutput, type Output } from "../output/output.js";

/** Options of every command that reads a data file. */
export interface ReadingOptions {
  readonly data?: string | undefined;
  readonly json?: boolean | undefined;
}

/** What a reading command works on. */
export interface Reading {
  readonly store: SqliteStore;
  readonly path: string;
  readonly output: Output;
}

/** Adds `--data` to a command. */
export function addDataOption(command: Command): Command {
  return command.option(
    "--data <file>",
    `data file; default: COLLOQUY_DATA, else ${DEFAULT_DATA_FILE}`,
  );
}

/** Adds `--data` and `--json` to a command. */
export function addReadingOptions(command: Command): Command {
  return addDataOption(command).option("--json", "write JSON for machines");
}

/** The data file that a call means: the flag, else `COLLOQUY_DATA`, else the default. */
export function dataFile(host: Host, options: ReadingOptions): string {
  return options.data || host.terminal.env["COLLOQUY_DATA"] || DEFAULT_DATA_FILE;
}

/** Opens the data file to read, runs the command, and closes it however that ends. */
export async function read(
  host: Host,
  options: ReadingOptions,
  run: (reading: Reading) => Promise<ExitCode>,
): Promise<void> {
  const path = dataFile(host, options);
  const output = createOutput(host.terminal, host.clock, options.json === true);
  const store = await openReader(path, host.clock);
  try {
    host.exitCode = await run({ store, path, output });
  } finally {
    await store.close();
  }
}
