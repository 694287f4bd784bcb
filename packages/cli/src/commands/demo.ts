import { type Command, InvalidArgumentError } from "commander";
import { runDemo } from "../demo/run-demo.js";
import { DEMO_PORT } from "../demo/start-demo-hub.js";
import type { Host } from "../host/host.js";
import { createOutput } from "../output/output.js";
import { parseCount } from "./parse-options.js";
import { addDataOption, dataFile, type ReadingOptions } from "./reading-command.js";

/** Milliseconds that an agent waits before it answers, so that a person can read along. */
const DEFAULT_PACE_MS = 120;

interface DemoOptions extends ReadingOptions {
  readonly port?: number | undefined;
  readonly once?: boolean | undefined;
  readonly pace: number;
}

/** Adds `colloquy demo`. */
export function addDemoCommand(program: Command, host: Host): void {
  addDataOption(
    program
      .command("demo")
      .description(
        "Run a hub with four scripted agents, each a process of its own, that hold one channel of each type.",
      ),
  )
    .option(
      "--port <port>",
      `TCP port; 0 takes a free one (default: ${DEMO_PORT}, or a free one when that is taken)`,
      parsePort,
    )
    .option("--once", "end after the four channels instead of staying up")
    .option("--pace <ms>", "wait of an agent before it answers", parseCount, DEFAULT_PACE_MS)
    .option("--json", "print JSON instead of lines for people")
    .action(async (options: DemoOptions) => {
      const output = createOutput(host.terminal, host.clock, options.json === true);
      host.exitCode = await runDemo(host, output, {
        data: dataFile(host, options),
        port: options.port ?? null,
        once: options.once === true,
        paceMs: options.pace,
      });
    });
}

function parsePort(text: string): number {
  const port = parseCount(text);
  if (port <= 65_535) return port;
  throw new InvalidArgumentError("Give a TCP port from 0 to 65535.");
}
