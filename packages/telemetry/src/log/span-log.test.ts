import { appendFile, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRecordingLogger, makeTempFolder, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openFileSpanLog } from "./file-span-log.js";
import { createMemorySpanLog } from "./memory-span-log.js";
import type { SpanRecord } from "./span-record.js";

const record = (n: number): SpanRecord => ({
  ...{ trace_id: "a".repeat(32), span_id: "b".repeat(16), name: `span ${n}`, kind: "INTERNAL" },
  ...{ start: "2026-01-01T00:00:00.000000Z", end: "2026-01-01T00:00:01.000000Z" },
  ...{ status: "UNSET", attributes: { n }, events: [], links: [] },
});
const numbers = (records: readonly SpanRecord[]) =>
  records.map(({ attributes }) => attributes["n"]);
const LINE_BYTES = Buffer.byteLength(`${JSON.stringify(record(10))}\n`);

describe("a span log in memory", () => {
  it("keeps the newest spans within its bound", async () => {
    const log = createMemorySpanLog(LINE_BYTES * 3);
    for (let n = 10; n < 50; n += 1) log.append(record(n));
    expect(numbers(await log.read())).toEqual([47, 48, 49]);
    expect(log.bytes).toBe(LINE_BYTES * 3);
  });
});

describe("a span log in a file", () => {
  it("keeps what was appended over reopening, as JSON lines that nobody else reads", async () => {
    using folder = makeTempFolder();
    const path = join(folder.path, "deep", "spans.jsonl");
    const log = await openFileSpanLog({ path });
    for (let n = 10; n < 20; n += 1) log.append(record(n));
    await log.close();
    expect((await readFile(path, "utf8")).trimEnd().split("\n")).toHaveLength(10);
    expect((await stat(path)).mode & 0o077).toBe(0);
    const again = await openFileSpanLog({ path });
    expect(again.bytes).toBe(LINE_BYTES * 10);
    again.append(record(20));
    expect(numbers(await again.read())).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
  });

  it("never takes more than its bound, and drops the oldest", async () => {
    using folder = makeTempFolder();
    const path = join(folder.path, "spans.jsonl");
    const maxBytes = LINE_BYTES * 10;
    const log = await openFileSpanLog({ path, maxBytes });
    for (let n = 10; n < 90; n += 1) {
      log.append(record(n));
      await log.close();
      expect(log.bytes).toBeLessThanOrEqual(maxBytes);
    }
    const kept = numbers(await log.read());
    expect(kept.at(-1)).toBe(89);
    expect(kept.length).toBeGreaterThanOrEqual(5);
    const sizes = [(await stat(path)).size, (await stat(`${path}.1`)).size];
    expect((sizes[0] ?? 0) + (sizes[1] ?? 0)).toBe(log.bytes);
  });

  it("leaves out a line that a crash cut off, and goes on behind it", async () => {
    using folder = makeTempFolder();
    const path = join(folder.path, "spans.jsonl");
    const log = await openFileSpanLog({ path });
    log.append(record(10));
    await log.close();
    await appendFile(path, '{"trace_id":"aa');
    const again = await openFileSpanLog({ path });
    again.append(record(11));
    expect(numbers(await again.read())).toEqual([10, 11]);
  });

  it("tells once that it cannot be written, and loses spans rather than memory", async () => {
    using folder = makeTempFolder();
    const path = join(folder.path, "spans.jsonl");
    const logger = createRecordingLogger();
    const log = await openFileSpanLog({ path, maxBytes: LINE_BYTES * 4, logger });
    log.append(record(10));
    log.append(record(11));
    await log.close();
    // A folder where the older file should go fails the next turn-over.
    await mkdir(`${path}.1`);
    await writeFile(join(`${path}.1`, "y"), "");
    for (let n = 12; n < 20; n += 1) {
      log.append(record(n));
      await log.close();
    }
    await until(() => logger.at("warn").length > 0);
    expect(logger.at("warn").map(({ message }) => message)).toEqual([
      "the span log cannot be written",
    ]);
    expect(log.bytes).toBe(LINE_BYTES * 2);
  });
});
