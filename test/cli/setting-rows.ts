import { SERVE_SETTINGS } from "../../packages/cli/src/config/serve-settings.js";
import type { Setting } from "../../packages/cli/src/config/setting.js";

/** The rows of the table in `docs/configuration.md`, one per setting. */
export function settingRows(): string[] {
  return SERVE_SETTINGS.map((setting) => `| ${cellsOf(setting).join(" | ")} |`);
}

function cellsOf(setting: Setting): string[] {
  const { path, variable, flag, expected, unit, about } = setting;
  const names = [`\`${variable}\``, flag === null ? "no flag: secret" : `\`${flag}\``];
  const value = unit === null ? expected : `${expected} (${unit})`;
  return [`\`${path}\``, names.join("<br>"), value, defaultOf(setting), about];
}

function defaultOf({ default: fallback }: Setting): string {
  return `\`${JSON.stringify(fallback)}\``;
}
