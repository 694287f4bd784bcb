import type { Store } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { openSqliteStore } from "@colloquy/storage-sqlite";

/**
 * Where an example's hub keeps its data: in memory, or in the file that `COLLOQUY_DATA` names, which
 * `npx colloquy wal read` then finds as well.
 */
export async function openStore(env = process.env): Promise<Store> {
  const file = env["COLLOQUY_DATA"];
  return file === undefined || file === "" ? createMemoryStore() : openSqliteStore({ path: file });
}
