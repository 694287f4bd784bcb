import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Clock } from "@colloquy/protocol";
import type { CastName } from "./cast.js";
import { type News, newsSchema, type Order } from "./messages.js";

/** Deaths within {@link DEATHS_WITHIN_MS} after which an agent is not started again. */
export const MAX_DEATHS = 5;
const DEATHS_WITHIN_MS = 60_000;
/** Milliseconds until a dead agent is started again. */
const RESTART_MS = 250;
/** Milliseconds that an agent has to finish before it is killed. */
const END_MS = 3_000;

/** How a process of an agent came to its end unasked. */
export interface Death {
  readonly pid: number;
  /** A signal or an exit code, in words. */
  readonly how: string;
  /** True when it is not started again. */
  readonly isFinal: boolean;
}

/** The process of one member of the cast; a new one takes its place whenever it dies. */
export interface MemberProcess {
  readonly name: CastName;
  /** 0 while there is none. */
  readonly pid: number;
  launch(): void;
  /** Sends an order; without a process it is lost. */
  tell(order: Order): void;
  /** Lets it finish and end; resolves when it is gone. */
  end(): Promise<void>;
}

/** Input of {@link createMemberProcess}. */
export interface MemberOptions {
  readonly name: CastName;
  /** Address of the hub. */
  readonly url: string;
  /** Milliseconds that it waits before it answers. */
  readonly paceMs: number;
  readonly clock: Clock;
  onNews(news: News): void;
  onDeath(death: Death): void;
  /** What it wrote to its error stream. */
  onComplaint(text: string): void;
}

/** Makes a {@link MemberProcess}, without a process yet. */
export function createMemberProcess(options: MemberOptions): MemberProcess {
  const { clock } = options;
  let child: ChildProcess | null = null;
  let deaths: readonly number[] = [];
  let isEnding = false;

  const bury = (dead: ChildProcess, how: string): void => {
    child = null;
    if (isEnding) return;
    const now = clock.now();
    deaths = [...deaths.filter((at) => now - at < DEATHS_WITHIN_MS), now];
    const isFinal = deaths.length >= MAX_DEATHS;
    options.onDeath({ pid: dead.pid ?? 0, how, isFinal });
    if (!isFinal) clock.setTimer(RESTART_MS, launch);
  };
  const launch = (): void => {
    if (isEnding) return;
    const started = startProcess(options);
    child = started;
    started.once("exit", (code, signal) => bury(started, signal ?? `exit code ${code}`));
  };
  const tell = (order: Order): void => {
    if (child?.connected === true) child.send(order, () => undefined);
  };
  return {
    name: options.name,
    get pid() {
      return child?.pid ?? 0;
    },
    launch,
    tell,
    async end() {
      isEnding = true;
      const last = child;
      if (last === null) return;
      const gone = new Promise((resolve) => last.once("exit", resolve));
      tell({ kind: "end" });
      const timer = clock.setTimer(END_MS, () => last.kill("SIGKILL"));
      await gone;
      timer.cancel();
    },
  };
}

function startProcess({ name, url, paceMs, onNews, onComplaint }: MemberOptions): ChildProcess {
  // A demonstration that runs from its sources has agents that do.
  const main = `./agent/main${extname(import.meta.url)}`;
  const entry = fileURLToPath(new URL(main, import.meta.url));
  const args = ["--url", url, "--name", name, "--pace", String(paceMs)];
  const child = fork(entry, args, { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  child.stderr?.setEncoding("utf8").on("data", onComplaint);
  child.on("message", (message) => onNews(newsSchema.parse(message)));
  child.on("error", (error) => onComplaint(error.message));
  return child;
}
