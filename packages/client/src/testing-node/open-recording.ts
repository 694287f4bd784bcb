import type { LanguageModel } from "ai";
import { recordModel } from "../testing/record-model.js";
import { replayModel } from "../testing/replay-model.js";
import { loadRecording, saveRecording } from "./recording-file.js";

/** A model and the file that belongs to it. `await using` writes the file when there is something new. */
export interface OpenedRecording extends AsyncDisposable {
  readonly model: LanguageModel;
}

/**
 * A model that answers out of a file, or the model that writes the file.
 *
 * @param path - of the recording; it must exist unless there is a real model
 * @param real - asked and recorded when it is given; null to answer out of the file
 */
export async function openRecording(
  path: string | URL,
  real: LanguageModel | null = null,
): Promise<OpenedRecording> {
  if (real === null) {
    const model = replayModel(await loadRecording(path));
    return { model, [Symbol.asyncDispose]: async () => undefined };
  }
  const model = recordModel(real);
  return { model, [Symbol.asyncDispose]: () => saveRecording(path, model.recording()) };
}
