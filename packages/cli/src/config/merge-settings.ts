import type * as z from "zod";
import type { Setting } from "./setting.js";
import { wrongSetting } from "./setting-error.js";
import type { GivenSetting, SettingSource } from "./setting-source.js";

/** Settings of one schema with where each came from. */
export interface Merged<T> {
  readonly values: T;
  /** The source of a setting's value, by path. */
  sourceOf(path: string): SettingSource;
}

/**
 * Puts given settings over the defaults.
 *
 * @param layers - from the weakest to the strongest: a later one wins
 * @throws CliError for a value that its setting does not allow
 */
export function mergeSettings<S extends z.ZodObject>(
  schema: S,
  settings: readonly Setting[],
  layers: readonly (readonly GivenSetting[])[],
): Merged<z.output<S>> {
  const given = new Map(layers.flat().map((one) => [one.path, one]));
  const tree: Record<string, unknown> = {};
  for (const setting of settings) {
    const one = given.get(setting.path);
    if (one === undefined) continue;
    if (!setting.schema.safeParse(one.value).success) throw wrongSetting(setting, one);
    plant(tree, setting.path.split("."), one.value);
  }
  return {
    values: schema.parse(tree),
    sourceOf: (path) => given.get(path)?.source ?? { kind: "default" },
  };
}

function plant(tree: Record<string, unknown>, [key, ...rest]: readonly string[], value: unknown) {
  if (key === undefined) return;
  if (rest.length === 0) {
    tree[key] = value;
    return;
  }
  const branch = (tree[key] ?? {}) as Record<string, unknown>;
  tree[key] = branch;
  plant(branch, rest, value);
}
