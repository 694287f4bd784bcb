import { describeKind } from "@colloquy/protocol";
import { type CliError, usageError } from "../errors/cli-error.js";
import { nearest } from "../text/nearest.js";
import type { Setting } from "./setting.js";
import { describeSource, type GivenSetting, type SettingSource } from "./setting-source.js";

/** A setting whose value it does not allow: names it, where it came from and what to give instead. */
export function wrongSetting(setting: Setting, given: GivenSetting): CliError {
  const place = placeOf(setting.path, given.source);
  return usageError(`${place}: received ${received(setting, given.value)}.`, remedyFor(setting));
}

/** A setting that does not exist, with the nearest that does. */
export function unknownSetting(
  path: string,
  source: SettingSource,
  known: readonly string[],
): CliError {
  const near = nearest(path, known, 1)[0];
  const remedy =
    near === undefined
      ? "Take it out. `colloquy serve --print-config` lists every setting."
      : `Did you mean ${near}? \`colloquy serve --print-config\` lists every setting.`;
  return usageError(`${placeOf(path, source)}: there is no such setting.`, remedy);
}

/** How a message names a setting. */
export function placeOf(path: string, source: SettingSource): string {
  const from = source.kind === "default" ? "its default" : `from ${describeSource(source)}`;
  return `setting ${path} (${from})`;
}

function remedyFor(setting: Setting): string {
  const unit = setting.unit === null ? "" : ` (${setting.unit})`;
  const fallback = setting.secret ? "" : `; the default is ${JSON.stringify(setting.default)}`;
  return `Give ${setting.expected}${unit}${fallback}.`;
}

/** Secrets are named by their kind only. */
function received(setting: Setting, value: unknown): string {
  const simple = typeof value === "string" || typeof value === "number";
  if (setting.secret || !simple) return describeKind(value);
  return JSON.stringify(typeof value === "string" ? value.slice(0, 80) : value);
}
