import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openAiCompatible } from "@colloquy/client/ai-sdk";
import {
  createScriptedModel,
  type ModelRecording,
  type ModelScript,
  type RecordedModel,
  recordModel,
  replayModel,
  type ScriptedStep,
} from "@colloquy/client/testing";
import { loadRecording, saveRecording } from "@colloquy/client/testing/node";

/** Provider of scripted models, which a recording of one names. */
const SCRIPTED = "scripted";

type Model = Parameters<typeof recordModel>[0];

/** What answers in place of the agents' models: a script, a recording, or a real model. */
export interface Models {
  readonly kind: "scripted" | "recorded" | "real";
  /** Whether all of them say what stands in the scripts, themselves or as it was recorded. */
  readonly followScripts: boolean;
  /** The model of one agent; the script is what it says when no other is chosen. */
  of(agent: string, script: readonly ScriptedStep[] | ModelScript): Promise<Model>;
  /** Writes what was recorded, if anything is. */
  save(): Promise<void>;
}

/**
 * Chooses the models of an example by the environment:
 *
 * - nothing: scripts, without a network;
 * - `COLLOQUY_MODEL=recorded`: what stands in the folder `recordings` beside the example;
 * - `COLLOQUY_MODEL_BASE_URL` and `COLLOQUY_MODEL_NAME`, and `COLLOQUY_MODEL_KEY` where the server asks
 *   for a key: that model, over the OpenAI protocol;
 * - `COLLOQUY_MODEL_RECORD=1` with either: the recordings are written anew;
 * - `COLLOQUY_MODEL_RECORDINGS`: another folder for them.
 *
 * @param example - address of the example's main file
 */
export function chooseModels(example: string, env = process.env): Models {
  const baseUrl = env["COLLOQUY_MODEL_BASE_URL"];
  const name = env["COLLOQUY_MODEL_NAME"];
  const choice = env["COLLOQUY_MODEL"] ?? "";
  if (!["", "scripted", "recorded"].includes(choice)) {
    throw new Error(`COLLOQUY_MODEL is '${choice}'; choose scripted or recorded`);
  }
  if ((baseUrl === undefined) !== (name === undefined)) {
    throw new Error("COLLOQUY_MODEL_BASE_URL and COLLOQUY_MODEL_NAME belong together");
  }
  const real =
    baseUrl !== undefined && name !== undefined
      ? openAiCompatible({ baseUrl, model: name, apiKey: env["COLLOQUY_MODEL_KEY"] })
      : null;
  const records = env["COLLOQUY_MODEL_RECORD"] === "1";
  const recorded = new Map<string, RecordedModel>();
  const folder = env["COLLOQUY_MODEL_RECORDINGS"] ?? fileURLToPath(new URL("recordings", example));
  const fileOf = (agent: string): string => join(folder, `${agent.toLowerCase()}.json`);
  let followScripts = real === null;
  return {
    get followScripts() {
      return followScripts;
    },
    kind: real !== null ? "real" : choice === "recorded" ? "recorded" : "scripted",
    async of(agent, script) {
      if (real === null && choice === "recorded") {
        const recording = await load(fileOf(agent));
        followScripts &&= recording.model.provider === SCRIPTED;
        return replayModel(recording);
      }
      const model = real ?? createScriptedModel(script, { name: agent });
      if (!records) return model;
      const recording = recordModel(model);
      recorded.set(agent, recording);
      return recording;
    },
    async save() {
      for (const [agent, model] of recorded) await saveRecording(fileOf(agent), model.recording());
    },
  };
}

async function load(file: string): Promise<ModelRecording> {
  if (!existsSync(file)) {
    throw new Error(`there is no recording ${file}; make it with COLLOQUY_MODEL_RECORD=1`);
  }
  return loadRecording(file);
}
