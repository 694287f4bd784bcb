import { type Check, fail, ok } from "./check.js";

/** The oldest Node that Colloquy runs on. */
const REQUIRED = [20, 19] as const;

/**
 * Checks the version of Node.
 *
 * @param version - as `process.version` gives it
 */
export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const isEnough = major > REQUIRED[0] || (major === REQUIRED[0] && minor >= REQUIRED[1]);
  const required = REQUIRED.join(".");
  return isEnough
    ? ok("node", version)
    : fail("node", `${version} is older than ${required}`, `Install Node ${required} or newer.`);
}
