import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Variables that `serve.ts` has told: where the model is, and its name. */
    readonly modelEnv: Readonly<Record<string, string>>;
  }
}

const SERVE = fileURLToPath(new URL("../../examples/local-model/serve.ts", import.meta.url));
const NAMES = ["COLLOQUY_MODEL_BASE_URL", "COLLOQUY_MODEL_NAME"];

/** Starts the example's server for the run, as a person would. It fetches what it lacks. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ["--import", "tsx", SERVE], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, COLLOQUY_MODEL_FILE: "", COLLOQUY_MODEL_PORT: "0" },
  });
  const stop = (): Promise<void> => end(child);
  const modelEnv = await readVariables(child);
  if (NAMES.some((name) => modelEnv[name] === undefined)) {
    await stop();
    throw new Error("the local model did not start; its own output stands above and says why");
  }
  project.provide("modelEnv", modelEnv);
  return stop;
}

async function readVariables(child: ChildProcess): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  if (child.stdout === null) return found;
  for await (const line of createInterface({ input: child.stdout })) {
    const at = line.indexOf("=");
    if (at > 0) found[line.slice(0, at)] = line.slice(at + 1);
    if (NAMES.every((name) => name in found)) break;
  }
  return found;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
