import type { Command } from "commander";
import { checkServeSettings } from "../config/check-serve-settings.js";
import { loadServeSettings } from "../config/load-serve-settings.js";
import { printSettings } from "../config/print-settings.js";
import type { ServeSettings } from "../config/serve-settings.js";
import type { ExitCode } from "../errors/cli-error.js";
import type { Host } from "../host/host.js";
import { escapeText } from "../output/escape-text.js";
import { createOutput, type Output } from "../output/output.js";
import { createLogger } from "../serve/create-logger.js";
import { runUntilEnd } from "../serve/ending.js";
import { addSettingFlags, typedFlags } from "../serve/setting-flags.js";
import { type StartedHub, startHub } from "../serve/start-hub.js";

interface ServeOptions {
  readonly config?: string | undefined;
  readonly printConfig?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Milliseconds for writing what is left once everybody is gone. */
const WRITING_MS = 5_000;

/** Adds `colloquy serve`. */
export function addServeCommand(program: Command, host: Host): void {
  const command = program
    .command("serve")
    .description("Run a hub until SIGINT or SIGTERM.")
    .option("--config <file>", "JSON file with settings; default: COLLOQUY_CONFIG")
    .option("--print-config", "print every setting and where it comes from, and end")
    .option("--json", "print JSON instead of lines for people");
  addSettingFlags(command);
  command.action(async (options: ServeOptions) => {
    const output = createOutput(host.terminal, host.clock, options.json === true);
    const { env } = host.terminal;
    const flags = typedFlags(command);
    const merged = await loadServeSettings({ flags, env, configFile: options.config });
    checkServeSettings(merged);
    if (options.printConfig === true) return await printSettings(output, merged);
    host.exitCode = await serve(host, output, merged.values);
  });
}

async function serve(host: Host, output: Output, settings: ServeSettings): Promise<ExitCode> {
  const { terminal, clock } = host;
  const logger = createLogger(terminal, settings);
  const started = await startHub(settings, clock, logger, terminal.env);
  const limitMs = settings.limits.drainTimeoutMs + settings.sockets.closeTimeoutMs + WRITING_MS;
  const drain = (): Promise<void> => stop(started);
  // Signals count from before anybody is told that the hub is there.
  const ended = runUntilEnd({ drain, limitMs }, { terminal, clock, logger });
  try {
    await announce(output, settings, started);
  } catch (error) {
    await started.hub.close();
    await started.watch.stop();
    throw error;
  }
  return await ended;
}

/** The hub answers what is under way before its sockets go. */
async function stop({ hub, server, watch }: StartedHub): Promise<void> {
  await hub.drain();
  await server.stop();
  await watch.stop();
}

async function announce(
  output: Output,
  { data, durability, auth }: ServeSettings,
  { server }: StartedHub,
): Promise<void> {
  const { url } = server;
  if (output.json) return await output.value({ url, data, durability, auth, pid: process.pid });
  const facts = `data ${escapeText(data)}, durability ${durability}, auth ${auth}`;
  await output.lines(`Colloquy listens on ${output.styles.strong(url)} (${facts})`);
}
