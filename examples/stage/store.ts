import { existsSync } from "node:fs";
import type { Store } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { openSqliteStore } from "@colloquy/storage-sqlite";

/**
 * Where an example's hub keeps its data: in memory, or in the new file that `COLLOQUY_DATA` names,
 * which `npx colloquy wal read` then finds as well.
 */
export async function openStore(env = process.env): Promise<Store> {
  const file = env["COLLOQUY_DATA"];
  if (file === undefined || file === "") return createMemoryStore();
  // The agents of an example register themselves, which they can do once.
  if (existsSync(file)) throw new Error(`COLLOQUY_DATA: ${file} exists already; name a new file`);
  return openSqliteStore({ path: file });
}
