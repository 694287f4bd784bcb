import { appendFile, mkdir, open, readFile, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type Logger, silentLogger } from "@colloquy/protocol";
import { DEFAULT_SPAN_LOG_BYTES, type SpanLog } from "./span-log.js";
import type { SpanRecord } from "./span-record.js";

/** Options of {@link openFileSpanLog}. */
export interface FileSpanLogOptions {
  /** The file, such as `hub.db.spans.jsonl`; made with its folder when it is not there. */
  readonly path: string;
  /** Bytes in the file and the one before it; default {@link DEFAULT_SPAN_LOG_BYTES}. */
  readonly maxBytes?: number | undefined;
  /** Where a file that cannot be written is told, once until it works again. Default: nowhere. */
  readonly logger?: Logger | undefined;
}

/** What was said in channels may stand in a span's error message. */
const OWNER_ONLY = { file: 0o600, folder: 0o700 } as const;
/** Bytes that wait at most for a disk that is slow; beyond it spans are dropped. */
const MAX_WAITING_BYTES = 8_388_608;
const NEWLINE = 0x0a;

/**
 * Keeps spans in a file, as JSON lines. When the file has half of the bound it becomes `<path>.1`,
 * in place of the one before, and a new one begins. A line that a crash cut off is left out by
 * readers, and the next one begins on a line of its own.
 *
 * Rejects with the system's error when the file cannot be opened.
 */
export async function openFileSpanLog(options: FileSpanLogOptions): Promise<SpanLog> {
  const { path, maxBytes = DEFAULT_SPAN_LOG_BYTES, logger = silentLogger } = options;
  const older = `${path}.1`;
  await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY.folder });
  let olderBytes = await sizeOf(older);
  let currentBytes = await mendEnd(path);
  let waiting: string[] = [];
  let waitingBytes = 0;
  let isFailing = false;
  let writing: Promise<void> | null = null;

  const maxWaitingBytes = Math.min(MAX_WAITING_BYTES, Math.floor(maxBytes / 2));
  const makeRoom = async (bytes: number): Promise<void> => {
    if (currentBytes === 0 || (currentBytes + bytes) * 2 <= maxBytes) return;
    await rename(path, older);
    olderBytes = currentBytes;
    currentBytes = 0;
  };
  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const text = waiting.join("");
      const bytes = waitingBytes;
      waiting = [];
      waitingBytes = 0;
      try {
        await makeRoom(bytes);
        await appendFile(path, text, { mode: OWNER_ONLY.file });
        currentBytes += bytes;
        isFailing = false;
      } catch (error) {
        if (!isFailing) logger.warn({ err: error, path }, "the span log cannot be written");
        isFailing = true;
      }
    }
    writing = null;
  };
  const flush = async (): Promise<void> => {
    while (writing !== null) await writing;
  };
  return {
    get bytes() {
      return olderBytes + currentBytes + waitingBytes;
    },
    append(record) {
      const line = `${JSON.stringify(record)}\n`;
      const bytes = Buffer.byteLength(line);
      if (waitingBytes + bytes > maxWaitingBytes) return;
      waiting.push(line);
      waitingBytes += bytes;
      writing ??= write();
    },
    async read() {
      await flush();
      return [...(await readLines(older)), ...(await readLines(path))];
    },
    close: flush,
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
    throw error;
  }
}

/** Ends a line that was cut off, so that the next one stands alone; returns the file's size. */
async function mendEnd(path: string): Promise<number> {
  const file = await open(path, "a+", OWNER_ONLY.file);
  try {
    const { size } = await file.stat();
    if (size === 0) return 0;
    const last = Buffer.alloc(1);
    await file.read(last, 0, 1, size - 1);
    if (last[0] === NEWLINE) return size;
    await file.appendFile("\n");
    return size + 1;
  } finally {
    await file.close();
  }
}

async function readLines(path: string): Promise<SpanRecord[]> {
  let text = "";
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line) as SpanRecord];
    } catch {
      return [];
    }
  });
}
