import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { readAgents } from "../data/agent-directory.js";
import { findChannel } from "../data/find-channel.js";
import { refuseExisting } from "../data/refuse-existing.js";
import { EXIT } from "../errors/cli-error.js";
import { exportLines } from "../export/export-log.js";
import { takeCut } from "../export/take-cut.js";
import type { Host } from "../host/host.js";
import { countOf } from "../output/format-values.js";
import { addDataOption, type Reading, type ReadingOptions, read } from "./reading-command.js";

interface ExportOptions extends ReadingOptions {
  readonly channel?: string | undefined;
  readonly out?: string | undefined;
}

/** Adds `colloquy wal export`. */
export function addWalExportCommand(wal: Command, host: Host): void {
  addDataOption(wal.command("export").description("Write channels and their WALs as JSON Lines."))
    .option("--channel <channel>", "only this channel; default: all")
    .option("--out <file>", "a new file to write to; default: the standard output")
    .action((options: ExportOptions) =>
      read(host, options, async (reading) => {
        const { out } = options;
        const lines = await linesOf(host, reading, options.channel);
        if (out === undefined) {
          for await (const line of lines) await reading.output.lines(line);
          return EXIT.ok;
        }
        refuseExisting(out);
        const count = await writeFile(out, lines);
        await reading.output.remark(`wrote ${countOf(count, "line")} to ${out}`);
        return EXIT.ok;
      }),
    );
}

async function linesOf(
  host: Host,
  { store, output }: Reading,
  text: string | undefined,
): Promise<AsyncGenerator<string, void, undefined>> {
  const channelId = text === undefined ? undefined : (await findChannel(store, text)).channel_id;
  const agents = await readAgents(store);
  const cut = await takeCut(store, channelId);
  const progress = output.progress("exporting", cut.upTo);
  const nowMs = host.clock.now();
  const job = { store, agents, cut, channelId, nowMs, onEnvelope: progress.update };
  return (async function* () {
    try {
      yield* exportLines(job);
    } finally {
      progress.stop();
    }
  })();
}

/** The file has its name only once it is complete. */
async function writeFile(out: string, lines: AsyncIterable<string>): Promise<number> {
  const unfinished = `${out}.part`;
  let count = 0;
  async function* text() {
    for await (const line of lines) {
      count += 1;
      yield `${line}\n`;
    }
  }
  try {
    await pipeline(Readable.from(text()), createWriteStream(unfinished, { flush: true }));
    await rename(unfinished, out);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return count;
}
