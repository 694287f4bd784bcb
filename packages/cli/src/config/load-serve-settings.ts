import { readFile } from "node:fs/promises";
import { CliError, EXIT } from "../errors/cli-error.js";
import type { Terminal } from "../terminal/terminal.js";
import {
  CONFIG_VARIABLE,
  settingsFromEnvironment,
  settingsFromFile,
  settingsFromFlags,
} from "./given-settings.js";
import { type Merged, mergeSettings } from "./merge-settings.js";
import { SERVE_SETTINGS, type ServeSettings, serveSettingsSchema } from "./serve-settings.js";
import type { GivenSetting } from "./setting-source.js";

/** Where {@link loadServeSettings} looks. */
export interface ServeSettingPlaces {
  /** Flag with its dashes to its text; `true` for a flag without a value. */
  readonly flags: ReadonlyMap<string, string | true>;
  readonly env: Terminal["env"];
  /** Value of `--config`; without it `COLLOQUY_CONFIG` counts. */
  readonly configFile?: string | undefined;
}

/**
 * Gathers the settings of a hub: flags over environment variables over the config file over
 * defaults.
 *
 * @throws CliError for an unknown setting or a value that is not allowed; see also
 *   `checkServeSettings`
 */
export async function loadServeSettings(
  places: ServeSettingPlaces,
): Promise<Merged<ServeSettings>> {
  const file = places.configFile ?? places.env[CONFIG_VARIABLE] ?? "";
  return mergeSettings(serveSettingsSchema, SERVE_SETTINGS, [
    file === "" ? [] : await readConfigFile(file),
    settingsFromEnvironment(places.env, SERVE_SETTINGS),
    settingsFromFlags(places.flags, SERVE_SETTINGS),
  ]);
}

async function readConfigFile(path: string): Promise<GivenSetting[]> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown";
    throw new CliError(`config file ${path} cannot be read (${code}).`, {
      cause,
      exitCode: EXIT.usage,
      remedy: `Give the path of a JSON file with --config or ${CONFIG_VARIABLE}.`,
    });
  }
  return settingsFromFile(text, path, SERVE_SETTINGS);
}
