import type { Command } from "commander";
import { createChannelTypes } from "../channels/channel-types.js";
import { EXIT } from "../errors/cli-error.js";
import type { Host } from "../host/host.js";
import { checkExport } from "../import/check-export.js";
import { openTarget } from "../import/import-target.js";
import { writeImport } from "../import/write-import.js";
import { countOf } from "../output/format-values.js";
import { createOutput } from "../output/output.js";
import { addReadingOptions, dataFile, type ReadingOptions } from "./reading-command.js";

/** Adds `colloquy wal import <file>`. */
export function addWalImportCommand(wal: Command, host: Host): void {
  addReadingOptions(
    wal
      .command("import")
      .description("Verify an export and write it to a data file, all of it or nothing."),
  )
    .argument("<file>", "what `colloquy wal export` wrote")
    .action(async (file: string, options: ReadingOptions) => {
      const output = createOutput(host.terminal, host.clock, options.json === true);
      const path = dataFile(host, options);
      const checking = output.progress("verifying", 0);
      const content = await checkExport(file, createChannelTypes(), (count) =>
        checking.update(count, count),
      ).finally(checking.stop);
      const { agents, channels, envelopes } = content.counts;
      const target = await openTarget(path, host.clock, content);
      const writing = output.progress("importing", envelopes);
      try {
        await writeImport(file, target, writing.update);
      } catch (error) {
        await target.abandon();
        throw error;
      } finally {
        writing.stop();
      }
      await target.finish();
      if (output.json) await output.value({ data: path, agents, channels, envelopes });
      else {
        const what = `${countOf(channels, "channel")}, ${countOf(envelopes, "envelope")}`;
        await output.lines(`imported ${what} and ${countOf(agents, "agent")} into ${path}`);
      }
      host.exitCode = EXIT.ok;
    });
}
