import { availableParallelism, cpus, release, totalmem, type } from "node:os";

/** What a reader needs to know of the machine; nothing that names it. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryBytes: number;
  readonly system: string;
  readonly node: string;
}

/** Describes the machine that runs this. */
export function describeMachine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? "unknown",
    memoryBytes: totalmem(),
    system: `${type()} ${release()}`,
    node: process.version,
  };
}
