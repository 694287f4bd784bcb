import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { makeTempFolder, type TempFolder } from "@colloquy/testkit";
import { type LineProcess, startServer } from "./line-process.js";
import { PYTHON } from "./prepare-python.js";

const CLI = fileURLToPath(new URL("../../../packages/cli/bin/colloquy.js", import.meta.url));
const AG2_HUB = fileURLToPath(new URL("../python/hub.py", import.meta.url));

/** API keys by the name of their agent. */
export type ApiKeys = Readonly<Record<string, string>>;

/** A hub in a process of its own, which keeps its data and its port over deaths. */
export interface HubProcess extends AsyncDisposable {
  readonly url: string;
  /** Its data, which outlives it until the end of the test. */
  readonly data: string;
  readonly errors: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Kills it and starts it again. */
  restart(): Promise<void>;
}

/** Starts `colloquy serve` as it was built; `more` are settings of its config file. */
export function startColloquyHub(
  keys: ApiKeys = {},
  more: Readonly<Record<string, unknown>> = {},
): Promise<HubProcess> {
  const folder = makeTempFolder();
  const withKeys = Object.keys(keys).length > 0;
  const config = folder.at("config.json");
  const settings = {
    auth: withKeys ? "api_key" : "none",
    apiKeys: keys,
    logLevel: "warn",
    ...more,
  };
  writeFileSync(config, JSON.stringify(settings));
  return startHub(folder, async (data, port) => {
    const args = ["serve", "--json", "--config", config, "--data", data, "--port", String(port)];
    const { process: started, first } = await startServer(process.execPath, [CLI, ...args]);
    return { process: started, port: Number(new URL(String(first["url"])).port) };
  });
}

/** Options of AG2's own hub. */
export interface Ag2HubOptions {
  /** Seconds that all invitees have to accept; default 30, AG2's own. */
  readonly inviteAckSeconds?: number;
  /** `disk` is its folder of files, which it never syncs. Default `sqlite`. */
  readonly store?: "sqlite" | "disk";
}

/** Starts AG2's own hub, which takes the schemes `none` and `api_key`. */
export function startAg2Hub(
  keys: ApiKeys = {},
  { inviteAckSeconds = 30, store = "sqlite" }: Ag2HubOptions = {},
): Promise<HubProcess> {
  const settings = JSON.stringify({ keys, invite_ack_seconds: inviteAckSeconds, store });
  return startHub(makeTempFolder(), async (data, port) => {
    const { process: started, first } = await startServer(PYTHON, [
      ...[AG2_HUB, data, String(port), settings],
    ]);
    return { process: started, port: Number(first["port"]) };
  });
}

type Launch = (
  data: string,
  port: number,
) => Promise<{ readonly process: LineProcess; readonly port: number }>;

async function startHub(folder: TempFolder, launch: Launch): Promise<HubProcess> {
  const data = folder.at("hub.db");
  let running = await launch(data, 0);
  const { port } = running;
  const hub: HubProcess = {
    url: `ws://127.0.0.1:${port}`,
    data,
    get errors() {
      return running.process.errors;
    },
    kill: () => running.process.kill(),
    async start() {
      running = await launch(data, port);
    },
    async restart() {
      await hub.kill();
      await hub.start();
    },
    async [Symbol.asyncDispose]() {
      await hub.kill();
      folder[Symbol.dispose]();
    },
  };
  return hub;
}
