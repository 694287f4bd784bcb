import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { AgentNews, AgentOrder, HubOrder } from "./messages.js";

/** Milliseconds to wait for anything that another process does. */
const PATIENCE_MS = 30_000;

function start(name: string): ChildProcess {
  return fork(fileURLToPath(new URL(name, import.meta.url)));
}

/** A process that becomes a hub when it is told to. */
export interface HubProcess {
  /** Resolves with the hub's address once it listens. */
  open(data: string, port: number): Promise<string>;
  /** Drains the hub; the process can become another one. */
  drain(): Promise<void>;
  /** Kills it with no warning; resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts a {@link HubProcess}. */
export function startHubProcess(): HubProcess {
  const child = start("./hub-process.ts");
  const ask = async (order: HubOrder): Promise<unknown> => {
    child.send(order);
    const [answer] = await once(child, "message", { signal: AbortSignal.timeout(PATIENCE_MS) });
    return answer;
  };
  return {
    open: async (data, port) => String(await ask({ kind: "open", data, port })),
    drain: async () => void (await ask({ kind: "drain" })),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

type NewsOf<K extends AgentNews["kind"]> = Extract<AgentNews, { kind: K }>;

/** An agent process. */
export interface AgentProcess {
  tell(order: AgentOrder): void;
  /** Resolves with the next news of a kind that meets the condition; rejects when it dies first. */
  hear<K extends AgentNews["kind"]>(
    kind: K,
    meets?: (news: NewsOf<K>) => boolean,
  ): Promise<NewsOf<K>>;
  end(): void;
}

/** Starts an {@link AgentProcess}. */
export function startAgentProcess(): AgentProcess {
  const child = start("./agent-process.ts");
  return {
    tell: (order) => void child.send(order),
    hear(kind, meets = () => true) {
      return new Promise((resolve, reject) => {
        const stop = (): void => {
          clearTimeout(timer);
          child.off("message", take);
          child.off("exit", fail);
        };
        const fail = (): void => {
          stop();
          reject(new Error(`no news of kind '${kind}' from an agent`));
        };
        const take = (news: AgentNews): void => {
          if (news.kind !== kind || !meets(news as NewsOf<typeof kind>)) return;
          stop();
          resolve(news as NewsOf<typeof kind>);
        };
        const timer = setTimeout(fail, PATIENCE_MS).unref();
        child.on("message", take);
        child.on("exit", fail);
      });
    },
    end: () => void child.kill(),
  };
}
