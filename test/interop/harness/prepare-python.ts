import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../.venv", import.meta.url));
const REQUIREMENTS = fileURLToPath(new URL("../requirements.txt", import.meta.url));
/** Says which requirements the environment was made from; written last. */
const STAMP = `${FOLDER}/requirements.sha256`;

/** The interpreter of the tests' own virtual environment. */
export const PYTHON = `${FOLDER}/bin/python`;

/** Makes the virtual environment, unless it stands as the requirements say. Called once per run. */
export function setup(): void {
  const wanted = createHash("sha256").update(readFileSync(REQUIREMENTS)).digest("hex");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted) return;
  rmSync(FOLDER, { recursive: true, force: true });
  run("python3", ["-m", "venv", FOLDER], "Install Python 3.10 or newer with its venv module.");
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  run(
    PYTHON,
    [...install, "--no-deps", "--requirement", REQUIREMENTS],
    "Make a Python package index reachable for pip.",
  );
  run(PYTHON, ["-m", "pip", "check"], "Complete test/interop/requirements.txt.");
  writeFileSync(STAMP, wanted);
}

function run(program: string, args: readonly string[], remedy: string): void {
  try {
    execFileSync(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the tests with AG2 need a Python environment: ${said}\n${remedy}`, { cause });
  }
}
