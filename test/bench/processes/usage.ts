/** What a process has used so far. */
export interface Usage {
  /** Processor time of the whole process, user and system. */
  readonly cpuMicros: number;
  readonly residentBytes: number;
  /** JavaScript heap in use and memory that it holds outside. */
  readonly heapBytes: number;
}

/**
 * Reads what this process has used.
 *
 * @param collect - collect garbage first; needs `--expose-gc`
 * @throws Error when garbage is to be collected and cannot be
 */
async function readUsage({ collect }: { readonly collect: boolean }): Promise<Usage> {
  if (collect) await collectGarbage();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { cpuMicros: user + system, residentBytes: rss, heapBytes: heapUsed + external };
}

/** Several times with a turn of the loop between, since finalisers free more. */
async function collectGarbage(): Promise<void> {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error("start this process with --expose-gc");
  for (let pass = 0; pass < 4; pass += 1) {
    await gc({ type: "major", execution: "async" });
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The commands by which a parent reads what a process uses. */
export const usageCommands = { usage: readUsage };
