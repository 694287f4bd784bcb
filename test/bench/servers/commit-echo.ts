import Database from "better-sqlite3";
import { listen } from "./listen.js";

/** Bytes that take the journal past its checkpoint, so that it is reused and grows no more. */
const WARM_BYTES = 6 * 1024 * 1024;

/**
 * Makes every message durable by one SQLite commit of its own, then sends it back.
 *
 * @param path - a file that does not exist yet
 */
export async function listenCommitEcho({ path }: { readonly path: string }): Promise<string> {
  const append = openLog(path);
  const { url } = await listen((socket, data) => {
    append(data.toString());
    socket.send(data, { binary: false });
  });
  return url;
}

/** As bare as it gets: one table, one row, one transaction, synced. */
function openLog(path: string): (body: string) => void {
  const db = new Database(path);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec("CREATE TABLE log (n INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT");
  const begin = db.prepare("BEGIN IMMEDIATE");
  const insert = db.prepare("INSERT INTO log (body) VALUES (?)");
  const commit = db.prepare("COMMIT");
  const append = (body: string): void => {
    begin.run();
    insert.run(body);
    commit.run();
  };
  append("x".repeat(WARM_BYTES));
  append("x");
  return append;
}
