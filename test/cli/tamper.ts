import Database from "better-sqlite3";

/** Changes a data file behind Colloquy's back. */
export function tamper(path: string, sql: string, ...values: unknown[]): void {
  const db = new Database(path);
  try {
    const { changes } = db.prepare(sql).run(...values);
    if (changes === 0) throw new Error(`nothing was changed by ${sql}`);
  } finally {
    db.close();
  }
}

/** Reads one value from a data file. */
export function peek(path: string, sql: string, ...values: unknown[]): unknown {
  const db = new Database(path, { readonly: true });
  try {
    return db
      .prepare(sql)
      .pluck()
      .get(...values);
  } finally {
    db.close();
  }
}
