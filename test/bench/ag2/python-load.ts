import { fileURLToPath } from "node:url";
import { startProcess } from "../../interop/harness/line-process.js";
import { PYTHON } from "../../interop/harness/prepare-python.js";
import type { Load } from "./load.js";

const PROGRAM = fileURLToPath(new URL("../../interop/python/load.py", import.meta.url));

interface Answer {
  readonly id: number;
  readonly ok: boolean;
  readonly result?: { readonly seconds: number; readonly latencies_ms: readonly number[] };
  readonly message?: string;
}

/** AG2's own clients, in a process of their own. */
export async function openPythonLoad(url: string): Promise<Load> {
  const waiting = new Map<number, (answer: Answer) => void>();
  const python = startProcess(PYTHON, [PROGRAM], (line) => {
    const answer = line as unknown as Answer;
    waiting.get(answer.id)?.(answer);
  });
  let calls = 0;
  const call = async (command: string, args: object): Promise<Answer> => {
    calls += 1;
    const id = calls;
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    python.send({ id, command, args });
    const answer = await answered;
    if (!answer.ok) throw new Error(`${command}: ${answer.message ?? python.errors}`);
    return answer;
  };
  await call("open", { url });
  return {
    async round(texts, underWay) {
      const { result } = await call("round", { texts, under_way: underWay });
      if (result === undefined) throw new Error("the load gave no result");
      return { seconds: result.seconds, latenciesMs: result.latencies_ms };
    },
    close: () => python.kill(),
  };
}
