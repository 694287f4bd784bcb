/** Opens a store, says so and keeps it until it is killed. With a second argument: only its write lock, for so many milliseconds. */
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import Database from "better-sqlite3";

const [path = "", lockMs] = process.argv.slice(2);
const say = (text: string) => process.stdout.write(`${text}\n`);

if (lockMs === undefined) {
  const store = await openSqliteStore({ path });
  say("open");
  await sleep(60_000);
  await store.close();
} else {
  const db = new Database(path);
  db.exec("BEGIN IMMEDIATE");
  say("locked");
  await sleep(Number(lockMs));
  db.exec("ROLLBACK");
  db.close();
  say("released");
}
