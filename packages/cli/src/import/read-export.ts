import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { explainIssue, parseJson } from "@colloquy/protocol";
import type * as z from "zod";
import { CliError } from "../errors/cli-error.js";
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type ExportLine,
  exportLineSchema,
  headerLineSchema,
} from "../export/export-lines.js";

/** An envelope may nest as deep as a frame lets it, and stands one level deeper in its line. */
const MAX_DEPTH = 128;

/** A line of an export with its number in the file, from 1. */
export interface NumberedLine {
  readonly number: number;
  readonly line: ExportLine;
}

/**
 * The lines of an export behind its header, each checked against its schema.
 *
 * @throws CliError that names the line, for a file that is no export, is cut off, or is of a newer
 *   version
 */
export async function* readExport(path: string): AsyncGenerator<NumberedLine, void, undefined> {
  let number = 0;
  let ended = false;
  for await (const text of linesOf(path)) {
    number += 1;
    if (number === 1) {
      checkHeader(path, text);
      continue;
    }
    if (ended) throw damaged(path, number, "stands behind the end");
    const line = readLine(path, number, text);
    ended = line.kind === "end";
    yield { number, line };
  }
  if (number === 0) throw noExport(path);
  if (!ended) {
    throw new CliError(`${path} ends early, behind line ${number}: it was cut off.`, {
      remedy: "Export again, or copy the file again.",
    });
  }
}

async function* linesOf(path: string): AsyncGenerator<string, void, undefined> {
  const input = createReadStream(path, { encoding: "utf8" });
  // A stream's error reaches the reader of its lines only where somebody passes it on.
  const failed = new Promise<never>((_, reject) => input.on("error", reject));
  failed.catch(() => undefined);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[
    Symbol.asyncIterator
  ]();
  try {
    for (;;) {
      const next = await Promise.race([lines.next(), failed]);
      if (next.done === true) return;
      yield next.value;
    }
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new CliError(`${path} cannot be read (${code}).`, { cause, remedy: "Check the path." });
  } finally {
    input.destroy();
  }
}

function checkHeader(path: string, text: string): void {
  const header = headerLineSchema.safeParse(jsonOf(text));
  if (header.success && header.data.version <= EXPORT_VERSION) return;
  if (header.success) {
    throw new CliError(
      `${path} has version ${header.data.version} of the format; this program knows ${EXPORT_VERSION}.`,
      { remedy: "Run a newer Colloquy." },
    );
  }
  throw noExport(path);
}

function noExport(path: string): CliError {
  return new CliError(`${path} is no export: its first line is not a header of ${EXPORT_FORMAT}.`, {
    remedy: "Give a file that `colloquy wal export` wrote.",
  });
}

function readLine(path: string, number: number, text: string): ExportLine {
  const value = jsonOf(text);
  const parsed = exportLineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues as z.core.$ZodIssue[];
  if (value === null) throw damaged(path, number, "is no JSON");
  const why = explainIssue(issues, value, "the line").message.replace(/\.$/, "");
  throw damaged(path, number, `is no line of an export: ${why}`);
}

function damaged(path: string, number: number, why: string): CliError {
  return new CliError(`${path}, line ${number} ${why}.`, {
    remedy: "The file was changed or damaged; export again.",
  });
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text, { maxDepth: MAX_DEPTH });
  } catch {
    return null;
  }
}
