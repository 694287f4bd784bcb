const EXAMPLES = new URL("../examples/", import.meta.url);

let runs = 0;

/**
 * Runs an example in this process, as often as one likes; rejects when a check of it fails.
 *
 * With `COLLOQUY_DATA` (`vi.stubEnv`) the hub of an example leaves its data in that new file, which is
 * closed when this resolves: `openSqliteStore` or `colloquy wal read --data` reads every log.
 *
 * @param name - of its folder
 */
export async function runExample(name: string): Promise<void> {
  runs += 1;
  await import(`${new URL(`${name}/main.ts`, EXAMPLES).href}?run=${runs}`);
}
