import { readFileSync } from "node:fs";
import { createSystemClock } from "@colloquy/protocol";
import { EXIT } from "./errors/cli-error.js";
import type { Host } from "./host/host.js";
import { runProgram } from "./program/run-program.js";
import { createProcessTerminal } from "./terminal/process-terminal.js";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly version: string;
};

const host: Host = {
  terminal: createProcessTerminal(),
  clock: createSystemClock(),
  exitCode: EXIT.ok,
};

const code = await runProgram(host, manifest.version, process.argv.slice(2));

// What a library still tries, such as a receiver of telemetry that has gone, must not keep a command
// that has ended. What was written before leaves first.
process.exitCode = code;
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
