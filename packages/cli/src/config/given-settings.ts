import { parseJson } from "@colloquy/protocol";
import { CliError, EXIT, usageError } from "../errors/cli-error.js";
import type { Setting } from "./setting.js";
import { unknownSetting, wrongSetting } from "./setting-error.js";
import type { GivenSetting, SettingSource } from "./setting-source.js";

const PREFIX = "COLLOQUY_";

/** Names the config file itself, so it is no setting inside one. */
export const CONFIG_VARIABLE = "COLLOQUY_CONFIG";

/**
 * Settings in the text of a config file.
 *
 * @param text - JSON: an object whose nested keys are the paths of settings
 * @param name - the file's name, for messages
 * @throws CliError for text that is no JSON object, and for an unknown setting
 */
export function settingsFromFile(
  text: string,
  name: string,
  settings: readonly Setting[],
): GivenSetting[] {
  const source: SettingSource = { kind: "file", name };
  const root = parseObject(text, name);
  const known = new Map(settings.map((setting) => [setting.path, setting]));
  const groups = new Set(settings.flatMap(({ path }) => parentsOf(path)));
  const collect = (node: Record<string, unknown>, parents: readonly string[]): GivenSetting[] =>
    Object.entries(node).flatMap(([key, value]) => {
      const path = [...parents, key].join(".");
      if (known.has(path)) return [{ path, value, source }];
      if (groups.has(path) && isObject(value)) return collect(value, [...parents, key]);
      if (path === "$schema") return [];
      if (groups.has(path))
        throw usageError(`setting ${path} (from file ${name}): give an object.`);
      throw unknownSetting(path, source, [...known.keys()]);
    });
  return collect(root, []);
}

/**
 * Settings among the environment's variables: those whose name begins with `COLLOQUY_`.
 *
 * An empty variable counts as absent.
 *
 * @throws CliError for an unknown setting and for text that is not of its kind
 */
export function settingsFromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  settings: readonly Setting[],
): GivenSetting[] {
  const known = new Map(settings.map((setting) => [setting.variable, setting]));
  return Object.entries(env).flatMap(([name, text]) => {
    if (!name.startsWith(PREFIX) || text === undefined || text === "") return [];
    if (name === CONFIG_VARIABLE) return [];
    const source: SettingSource = { kind: "variable", name };
    const setting = known.get(name);
    if (setting === undefined) throw unknownSetting(name, source, [...known.keys()]);
    return [readText(setting, text, source)];
  });
}

/**
 * Settings among parsed flags.
 *
 * @param flags - flag, as typed with its dashes, to its text; `true` for a flag without a value
 * @throws CliError for text that is not of its kind
 */
export function settingsFromFlags(
  flags: ReadonlyMap<string, string | true>,
  settings: readonly Setting[],
): GivenSetting[] {
  return settings.flatMap((setting) => {
    const text = setting.flag === null ? undefined : flags.get(setting.flag);
    if (setting.flag === null || text === undefined) return [];
    return [readText(setting, String(text), { kind: "flag", name: setting.flag })];
  });
}

/** A text as the kind of value that its setting takes. */
function readText(setting: Setting, text: string, source: SettingSource): GivenSetting {
  const value = parseText(setting, text);
  const given = { path: setting.path, value: value ?? text, source };
  if (value === null) throw wrongSetting(setting, given);
  return given;
}

function parseText(setting: Setting, text: string): unknown {
  switch (setting.kind) {
    case "integer":
      return /^-?\d{1,15}$/.test(text) ? Number(text) : null;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : null;
    case "list":
      return text.split(",").map((part) => part.trim());
    case "object":
      return objectOf(text);
    case "text":
      return text;
  }
}

function objectOf(text: string): unknown {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function parseObject(text: string, name: string): Record<string, unknown> {
  try {
    const value = parseJson(text);
    if (isObject(value)) return value;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : "It is no JSON.";
    throw new CliError(`config file ${name} cannot be read: ${why}`, {
      cause,
      exitCode: EXIT.usage,
      remedy: 'Write it as one JSON object, for example {"port": 7420}.',
    });
  }
  throw usageError(`config file ${name} holds no JSON object.`, 'Start it with "{".');
}

function parentsOf(path: string): string[] {
  const parts = path.split(".");
  return parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join("."));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
