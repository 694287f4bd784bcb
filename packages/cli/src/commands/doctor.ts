import type { Command } from "commander";
import { createChannelTypes } from "../channels/channel-types.js";
import type { Check, CheckStatus } from "../doctor/check.js";
import { checkDataFile } from "../doctor/check-data-file.js";
import { checkNode } from "../doctor/check-node.js";
import { checkSettings } from "../doctor/check-settings.js";
import { EXIT } from "../errors/cli-error.js";
import type { Host } from "../host/host.js";
import { escapeText } from "../output/escape-text.js";
import { createOutput, type Output } from "../output/output.js";
import type { Styles } from "../output/styles.js";
import { padText } from "../output/text-width.js";
import { addReadingOptions, dataFile, type ReadingOptions } from "./reading-command.js";

interface DoctorOptions extends ReadingOptions {
  readonly config?: string | undefined;
}

const NAME_CELLS = 14;

/** Adds `colloquy doctor`. */
export function addDoctorCommand(program: Command, host: Host): void {
  addReadingOptions(
    program
      .command("doctor")
      .description("Check Node, settings, data file, disk and channels, with a remedy for each."),
  )
    .option("--config <file>", "config file of the hub; default: COLLOQUY_CONFIG")
    .action(async (options: DoctorOptions) => {
      const output = createOutput(host.terminal, host.clock, options.json === true);
      const path = dataFile(host, options);
      const checks = [
        checkNode(process.version),
        ...(await checkSettings(host.terminal.env, options.config)),
        ...(await checkDataFile(path, host.clock, createChannelTypes())),
      ];
      await show(output, checks);
      const failed = checks.some(({ status }) => status === "fail");
      host.exitCode = failed ? EXIT.failure : EXIT.ok;
    });
}

async function show(output: Output, checks: readonly Check[]): Promise<void> {
  if (output.json) {
    const ok = checks.every(({ status }) => status !== "fail");
    return await output.value({ ok, checks });
  }
  for (const { name, status, message, remedy } of checks) {
    const head = `${mark(status, output.styles)} ${padText(name, NAME_CELLS)}`;
    await output.lines(`${head} ${escapeText(message)}`);
    if (remedy !== null) await output.lines(`${" ".repeat(NAME_CELLS + 6)}${escapeText(remedy)}`);
  }
}

function mark(status: CheckStatus, styles: Styles): string {
  switch (status) {
    case "ok":
      return styles.good("ok  ");
    case "warn":
      return styles.caution("warn");
    case "fail":
      return styles.bad("FAIL");
  }
}
