import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Command } from "commander";
import { createChannelTypes } from "../channels/channel-types.js";
import { openReader } from "../data/open-reader.js";
import { refuseExisting } from "../data/refuse-existing.js";
import { CliError, EXIT } from "../errors/cli-error.js";
import type { Host } from "../host/host.js";
import { escapeText } from "../output/escape-text.js";
import { countOf, formatBytes } from "../output/format-values.js";
import type { Output } from "../output/output.js";
import { type Coverage, createCoverage, verifyStore } from "../verify/verify-store.js";
import { addReadingOptions, type ReadingOptions, read } from "./reading-command.js";

/** Adds `colloquy backup <file>`. */
export function addBackupCommand(program: Command, host: Host): void {
  addReadingOptions(
    program
      .command("backup")
      .description("Copy the data file while a hub may run on it, and verify the copy."),
  )
    .argument("<file>", "the copy; nothing may be there yet")
    .action((file: string, options: ReadingOptions) =>
      read(host, options, async ({ store, output }) => {
        await mkdir(dirname(file), { recursive: true });
        refuseExisting(file);
        const copying = output.progress("copying", 0);
        await store
          .backupTo(file, ({ total_pages: total, remaining_pages: left }) =>
            copying.update(total - left, total),
          )
          .finally(copying.stop);
        const copy = await openReader(file, host.clock);
        try {
          const coverage = await verifyCopy(output, file, copy);
          await report(output, file, coverage, copy.health().bytes ?? 0);
        } finally {
          await copy.close();
        }
        return EXIT.ok;
      }),
    );
}

/** The copy stays when something is wrong: the original has the same fault. */
async function verifyCopy(
  output: Output,
  file: string,
  store: Awaited<ReturnType<typeof openReader>>,
): Promise<Coverage> {
  const progress = output.progress("verifying the copy", 0);
  const coverage = createCoverage();
  try {
    const types = createChannelTypes();
    for await (const finding of verifyStore({ store, types, progress, coverage })) {
      const place = `channel ${finding.channel_id}, position ${finding.position}`;
      throw new CliError(
        `the copy ${file} was written but is not sound at ${escapeText(place)}: ${escapeText(finding.message)}.`,
        { remedy: "`colloquy wal verify` shows what is broken in the original." },
      );
    }
  } finally {
    progress.stop();
  }
  return coverage;
}

async function report(
  output: Output,
  file: string,
  { channels, envelopes }: Coverage,
  bytes: number,
): Promise<void> {
  if (output.json) {
    await output.value({ backup: file, verified: true, channels, envelopes, bytes });
    return;
  }
  const what = `${countOf(channels, "channel")}, ${countOf(envelopes, "envelope")}`;
  await output.lines(`copied and verified: ${what}, ${formatBytes(bytes)} in ${file}`);
}
