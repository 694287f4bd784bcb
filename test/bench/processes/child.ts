import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { CommandAnswer, CommandCall, Commands, ParamsOf, ResultOf } from "./commands.js";

/** A process that answers commands. */
export interface Child<C extends Commands> {
  /** Rejects with the child's error, or when the child ends before it has answered. */
  call<Name extends keyof C & string>(
    name: Name,
    params: ParamsOf<C, Name>,
  ): Promise<ResultOf<C, Name>>;
  /** Lets the process end by itself; harmless when repeated. */
  stop(): Promise<void>;
  /** Ends the process at once, as a power cut would. */
  kill(): Promise<void>;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * Starts a script as a process of its own, with the flags of this one.
 *
 * @param script - a file that calls `serveCommands`
 * @param flags - further flags for Node, such as `--expose-gc`
 */
export function startChild<C extends Commands>(
  script: URL,
  flags: readonly string[] = [],
): Child<C> {
  const child = fork(script, [], {
    execArgv: [...process.execArgv, ...flags],
    serialization: "advanced",
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const waiting = new Map<number, Waiting>();
  let calls = 0;

  child.on("message", (answer: CommandAnswer) => {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.ok) asked?.resolve(answer.result);
    else asked?.reject(new Error(answer.error));
  });
  child.on("exit", (code, signal) => {
    const error = new Error(`a process of the benchmark ended with ${signal ?? `code ${code}`}`);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  });

  return {
    call(name, params) {
      calls += 1;
      const call: CommandCall = { id: calls, name, params };
      return new Promise((resolve, reject) => {
        waiting.set(call.id, { resolve: resolve as Waiting["resolve"], reject });
        child.send(call, (error) => {
          if (error === null) return;
          waiting.delete(call.id);
          reject(error);
        });
      });
    },
    stop: () => end(child, () => child.disconnect()),
    kill: () => end(child, () => child.kill("SIGKILL")),
  };
}

async function end(child: ChildProcess, start: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  if (child.connected) start();
  else child.kill("SIGKILL");
  await exited;
}
