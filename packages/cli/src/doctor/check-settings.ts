import { checkServeSettings } from "../config/check-serve-settings.js";
import { loadServeSettings } from "../config/load-serve-settings.js";
import { describeSource } from "../config/setting-source.js";
import { CliError } from "../errors/cli-error.js";
import type { Terminal } from "../terminal/terminal.js";
import { type Check, fail, ok, warn } from "./check.js";

/**
 * Checks the settings that `colloquy serve` would take from here, and what its commits survive.
 *
 * @param configFile - value of `--config`
 */
export async function checkSettings(
  env: Terminal["env"],
  configFile: string | undefined,
): Promise<Check[]> {
  try {
    const merged = await loadServeSettings({ flags: new Map(), env, configFile });
    checkServeSettings(merged);
    const { durability, host, port, auth } = merged.values;
    const from = describeSource(merged.sourceOf("durability"));
    return [
      ok("settings", `would listen on ${host}:${port} with auth ${auth}`),
      durability === "sync"
        ? ok("durability", `sync (${from}): acknowledged envelopes survive a power loss`)
        : warn(
            "durability",
            `${durability} (${from}): a power loss may take the newest acknowledged envelopes`,
            "Set durability to sync where that matters.",
          ),
    ];
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [fail("settings", error.message, error.remedy ?? "Correct the setting.")];
  }
}
