import { StoreError } from "@colloquy/protocol";
import type Database from "better-sqlite3";

/** Says that a file is a knowledge store of Colloquy. */
const APPLICATION = 0x434b_4e57;
const VERSION = 1;

const TABLES = `
  CREATE TABLE documents (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    metadata TEXT NOT NULL
  ) STRICT;
  CREATE VIRTUAL TABLE words USING fts5(
    title, text, content = 'documents', content_rowid = 'row',
    tokenize = 'unicode61 remove_diacritics 2'
  );
  CREATE TRIGGER documents_in AFTER INSERT ON documents BEGIN
    INSERT INTO words (rowid, title, text) VALUES (new.row, new.title, new.text);
  END;
  CREATE TRIGGER documents_out AFTER DELETE ON documents BEGIN
    INSERT INTO words (words, rowid, title, text) VALUES ('delete', old.row, old.title, old.text);
  END;
  CREATE TRIGGER documents_changed AFTER UPDATE ON documents BEGIN
    INSERT INTO words (words, rowid, title, text) VALUES ('delete', old.row, old.title, old.text);
    INSERT INTO words (rowid, title, text) VALUES (new.row, new.title, new.text);
  END;
`;

/**
 * Makes the tables in an empty file, and leaves those of a knowledge store as they are.
 *
 * @throws StoreError for a file that is something else, or of a later version
 */
export function prepareKnowledge(db: Database.Database, path: string): void {
  const isEmpty = db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0;
  if (isEmpty) {
    db.transaction(() => {
      db.exec(TABLES);
      db.pragma(`application_id = ${APPLICATION}`);
      db.pragma(`user_version = ${VERSION}`);
    }).immediate();
    return;
  }
  const application = db.pragma("application_id", { simple: true });
  const version = db.pragma("user_version", { simple: true });
  if (application === APPLICATION && version === VERSION) return;
  const what = application === APPLICATION ? `of version ${String(version)}` : "something else";
  throw new StoreError(
    `the file ${path} is no knowledge store of version ${VERSION}: it is ${what}`,
    {
      details: { path },
    },
  );
}
