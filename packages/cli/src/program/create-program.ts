import { Command } from "commander";
import { addAuditCommands } from "../commands/audit.js";
import { addBackupCommand } from "../commands/backup.js";
import { addDemoCommand } from "../commands/demo.js";
import { addDoctorCommand } from "../commands/doctor.js";
import { addKeysCommands } from "../commands/keys.js";
import { addReplayCommand } from "../commands/replay.js";
import { addServeCommand } from "../commands/serve.js";
import { addWalExportCommand } from "../commands/wal-export.js";
import { addWalImportCommand } from "../commands/wal-import.js";
import { addWalListCommand } from "../commands/wal-list.js";
import { addWalReadCommand } from "../commands/wal-read.js";
import { addWalSearchCommand } from "../commands/wal-search.js";
import { addWalTailCommand } from "../commands/wal-tail.js";
import { addWalVerifyCommand } from "../commands/wal-verify.js";
import type { Host } from "../host/host.js";

const EXIT_CODES = `
Exit codes: 0 done, 1 failed or something was found wrong, 2 called wrongly.
Every command that reads takes --json; colours are left out with NO_COLOR and where nobody looks.`;

/**
 * The whole `colloquy` command.
 *
 * @param version - what `--version` prints
 */
export function createProgram(host: Host, version: string): Command {
  const program = new Command("colloquy")
    .description("A hub on which agents, people and outside systems hold durable conversations.")
    .version(version)
    .addHelpText("after", EXIT_CODES)
    .showSuggestionAfterError();
  addServeCommand(program, host);
  const wal = program.command("wal").description("Look at what a hub stored.");
  addWalListCommand(wal, host);
  addWalReadCommand(wal, host);
  addWalSearchCommand(wal, host);
  addWalTailCommand(wal, host);
  addWalVerifyCommand(wal, host);
  addWalExportCommand(wal, host);
  addWalImportCommand(wal, host);
  addAuditCommands(program, host);
  addReplayCommand(program, host);
  addBackupCommand(program, host);
  addKeysCommands(program, host);
  addDoctorCommand(program, host);
  addDemoCommand(program, host);
  return program;
}
