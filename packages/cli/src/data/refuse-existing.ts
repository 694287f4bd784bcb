import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { CliError } from "../errors/cli-error.js";

/**
 * Checks that a new file can be made at a path.
 *
 * @throws CliError when something is there already, or its folder is not
 */
export function refuseExisting(path: string): void {
  if (existsSync(path)) {
    throw new CliError(`${path} exists already and is left as it is.`, {
      remedy: "Name a new file, or move the old one away.",
    });
  }
  const folder = dirname(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CliError(`the folder ${folder} does not exist.`, { remedy: "Make it first." });
  }
}
