import {
  checkDocuments,
  checkKnowledgeSearch,
  excerptAround,
  type KnowledgeDocument,
  type KnowledgeHit,
  type KnowledgeStore,
  knowledgeWords,
} from "@colloquy/protocol";
import { configure, connect } from "../file/connect.js";
import { prepareKnowledge } from "./knowledge-schema.js";

/** Milliseconds that opening waits for another process. */
const BUSY_MS = 5_000;

/** Options of {@link openSqliteKnowledge}. */
export interface SqliteKnowledgeOptions {
  /** The file, one of its own; it is created when it is not there, its folder must be. */
  readonly path: string;
}

interface Row {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly metadata: string;
  readonly score: number;
}

/**
 * A {@link KnowledgeStore} in one SQLite file, by its full-text index: words without case and accents,
 * ranked by BM25, a word in the title counting twice. What was put survives the loss of power.
 *
 * @throws StoreError for a file that is something else
 */
export async function openSqliteKnowledge({
  path,
}: SqliteKnowledgeOptions): Promise<KnowledgeStore> {
  const options = { path, readonly: false, durability: "sync", busyTimeoutMs: BUSY_MS } as const;
  const db = connect(options);
  try {
    prepareKnowledge(db, path);
    configure(db, options);
  } catch (error) {
    db.close();
    throw error;
  }
  const put = db.prepare(
    `INSERT INTO documents (id, title, text, metadata) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET
       title = excluded.title, text = excluded.text, metadata = excluded.metadata`,
  );
  const remove = db.prepare("DELETE FROM documents WHERE id = ?");
  const get = db.prepare<[string], Row>(
    "SELECT id, title, text, metadata FROM documents WHERE id = ?",
  );
  const search = db.prepare<[string, number], Row>(
    `SELECT id, documents.title, documents.text, metadata, -bm25(words, 2.0, 1.0) AS score
     FROM words JOIN documents ON documents.row = words.rowid
     WHERE words MATCH ? ORDER BY bm25(words, 2.0, 1.0), documents.row LIMIT ?`,
  );
  const putAll = db.transaction((documents: readonly KnowledgeDocument[]) => {
    for (const { id, title, text, metadata } of documents) {
      put.run(id, title, text, JSON.stringify(metadata));
    }
  });
  const removeAll = db.transaction((ids: readonly string[]) => {
    for (const id of ids) remove.run(id);
  });
  return {
    async put(documents) {
      putAll.immediate(checkDocuments(documents));
    },
    async remove(ids) {
      removeAll.immediate(ids);
    },
    async get(id) {
      const row = get.get(id);
      return row === undefined ? null : toDocument(row);
    },
    async search(query, limit) {
      const checked = checkKnowledgeSearch(query, limit);
      const words = [...new Set(knowledgeWords(checked.query))];
      if (words.length === 0) return [];
      const match = words.map((word) => `"${word}"`).join(" OR ");
      return search.all(match, checked.limit).map((row) => toHit(row, words));
    },
    async close() {
      db.close();
    },
  };
}

function toDocument({ id, title, text, metadata }: Row): KnowledgeDocument {
  return { id, title, text, metadata: JSON.parse(metadata) as KnowledgeDocument["metadata"] };
}

function toHit(row: Row, words: readonly string[]): KnowledgeHit {
  const { id, title, text, metadata } = toDocument(row);
  const held = new Set(knowledgeWords(text));
  const found = words.find((word) => held.has(word)) ?? "";
  return { id, title, excerpt: excerptAround(text, found), score: row.score, metadata };
}
