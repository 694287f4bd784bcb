import { escapeText } from "../output/escape-text.js";
import type { Output } from "../output/output.js";
import { renderTable } from "../output/render-table.js";
import type { Merged } from "./merge-settings.js";
import { SERVE_SETTINGS, type ServeSettings } from "./serve-settings.js";
import type { Setting } from "./setting.js";
import { describeSource } from "./setting-source.js";

const HIDDEN = "(hidden)";

/** Prints every setting in force and where it came from; `--json` gives `{path, value, source}`. */
export async function printSettings(output: Output, merged: Merged<ServeSettings>): Promise<void> {
  const lines = SERVE_SETTINGS.map((setting) => ({
    path: setting.path,
    value: shownValue(setting, valueAt(merged.values, setting.path)),
    source: describeSource(merged.sourceOf(setting.path)),
  }));
  if (output.json) return await output.value(lines);
  const rows = lines.map(({ path, value, source }) => [
    path,
    escapeText(typeof value === "string" ? value : JSON.stringify(value)),
    escapeText(source),
  ]);
  const columns = [{ title: "SETTING" }, { title: "VALUE" }, { title: "FROM" }];
  await output.lines(...renderTable(columns, rows, output.columns));
}

/** Keys stay where they are; only whose they are is shown. */
function shownValue(setting: Setting, value: unknown): unknown {
  if (!setting.secret) return value;
  const names = Object.keys(value as Record<string, string>);
  return Object.fromEntries(names.map((name) => [name, HIDDEN]));
}

function valueAt(values: ServeSettings, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], values);
}
