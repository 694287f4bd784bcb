import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { InvalidInputError } from "@colloquy/protocol";
import { type ModelRecording, parseRecording } from "../testing/recording.js";

/**
 * Reads a recording from a JSON file.
 *
 * Rejects with the file system's error, or InvalidInputError when the file is no recording.
 */
export async function loadRecording(path: string | URL): Promise<ModelRecording> {
  const text = await readFile(path, "utf8");
  return parseRecording(parseText(text, String(path)));
}

/**
 * Writes a recording as JSON that a person can read; folders are made, and a file of that name is
 * replaced in one step.
 */
export async function saveRecording(path: string | URL, recording: ModelRecording): Promise<void> {
  const target = typeof path === "string" ? path : fileURLToPath(path);
  await mkdir(dirname(target), { recursive: true });
  const draft = `${target}.new`;
  await writeFile(draft, `${JSON.stringify(parseRecording(recording), null, 2)}\n`);
  await rename(draft, target);
}

function parseText(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const remedy = "Record it again.";
    throw new InvalidInputError(`recording of a model ${path}: the file is no JSON. ${remedy}`, {
      ...{ field: "", received: "text", remedy },
      cause,
    });
  }
}
