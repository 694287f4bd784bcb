import { type Command, Option } from "commander";
import { SERVE_SETTINGS } from "../config/serve-settings.js";
import type { Setting } from "../config/setting.js";

const LIMITS_GROUP = "Limits:";

/** Adds a flag for every setting that has one. */
export function addSettingFlags(command: Command): void {
  for (const setting of SERVE_SETTINGS) {
    if (setting.flag !== null) command.addOption(createFlag(setting, setting.flag));
  }
}

/** The flags that were typed, as texts: {@link SERVE_SETTINGS} says what they mean. */
export function typedFlags(command: Command): Map<string, string | true> {
  const typed = new Map<string, string | true>();
  for (const option of command.options) {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) !== "cli" || option.long === undefined) continue;
    typed.set(option.long, command.getOptionValue(name) as string | true);
  }
  return typed;
}

function createFlag(setting: Setting, flag: string): Option {
  const value = setting.kind === "boolean" ? "[boolean]" : `<${placeholder(setting)}>`;
  const fallback = `default: ${JSON.stringify(setting.default)}`;
  const option = new Option(`${flag} ${value}`, `${setting.about} (${fallback})`);
  return setting.path.startsWith("limits.") ? option.helpGroup(LIMITS_GROUP) : option;
}

function placeholder(setting: Setting): string {
  if (setting.expected.startsWith("one of "))
    return setting.expected.slice(7).replaceAll(", ", "|");
  return setting.unit ?? setting.kind;
}
