import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { StoredEnvelope } from "@colloquy/protocol";
import { batchOf, createChainMaker, makeTempFolder, type TempFolder } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../open-sqlite-store.js";

// Opened some hundred times, so it lies in memory where that can be had.
const IN_MEMORY = existsSync("/dev/shm") ? "/dev/shm" : undefined;
const FRAME_BYTES = 24 + 4_096;
const HEADER_BYTES = 32;

/** What a process leaves that is killed after 12 acknowledged commits; `ends[i]` is the journal's size after commit i. */
async function makeImage(folder: TempFolder) {
  const path = folder.at("live.db");
  const wal = `${path}-wal`;
  const store = await openSqliteStore({ path });
  const make = createChainMaker();
  const channel = make.channel();
  await store.commit(batchOf({ channels: [channel] }));
  const log: StoredEnvelope[] = [];
  const sizeOf = () => Number(execFileSync("stat", ["-c", "%s", wal], { encoding: "utf8" }));
  const ends: { readonly bytes: number; readonly rows: number }[] = [{ bytes: sizeOf(), rows: 0 }];
  for (let commit = 1; commit <= 12; commit += 1) {
    // Of growing size, with characters of one to four bytes: some records span pages.
    const text = `${commit} é 字 🙂 `.repeat(commit * 40);
    const envelopes = [make.next(channel.channel_id, { text }), make.next(channel.channel_id)];
    await store.commit(batchOf({ envelopes }));
    log.push(...envelopes);
    ends.push({ bytes: sizeOf(), rows: log.length });
  }
  for (const suffix of ["", "-wal"])
    execFileSync("cp", [path + suffix, folder.at(`image${suffix}`)]);
  await store.close();
  return { log, ends, channelId: channel.channel_id, make };
}

/** Every offset near a boundary of frames, and many in between, of the last commits. */
function offsets(ends: readonly { readonly bytes: number }[]): number[] {
  const from = ends.at(-5)?.bytes ?? 0;
  const to = ends.at(-1)?.bytes ?? 0;
  const near = (offset: number) => {
    const inFrame = (offset - HEADER_BYTES) % FRAME_BYTES;
    return inFrame < 26 || inFrame > FRAME_BYTES - 3;
  };
  const all = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return all.filter((offset) => near(offset) || offset % 499 === 0);
}

describe("a journal that was cut short", () => {
  it("F-078 F-079 at any byte loses only commits behind the cut, and work goes on at the next position", {
    timeout: 120_000,
  }, async () => {
    using folder = makeTempFolder(IN_MEMORY);
    const { log, ends, channelId } = await makeImage(folder);
    const path = folder.at("torn.db");
    const wal = readFileSync(folder.at("image-wal"));
    const cuts = offsets(ends);
    expect(cuts.length).toBeGreaterThan(300);
    for (const cut of cuts) {
      copyFileSync(folder.at("image"), path);
      writeFileSync(`${path}-wal`, wal.subarray(0, cut));
      rmSync(`${path}-shm`, { force: true });
      const whole = ends.filter(({ bytes }) => bytes <= cut).at(-1)?.rows ?? 0;
      const store = await openSqliteStore({ path });
      expect({ cut, log: await store.readLog(0) }).toEqual({ cut, log: log.slice(0, whole) });
      const isWhole = ends.some(({ bytes }) => bytes === cut);
      const { repairs } = await store.recover();
      expect({ cut, repairs }).toEqual({
        cut,
        repairs: isWhole
          ? []
          : [expect.stringMatching(/in the middle of a commit: \d+ unfinished/)],
      });
      const make = createChainMaker();
      make.channel();
      make.take(channelId, whole);
      const next = make.next(channelId, { text: "after the cut" });
      await store.commit(batchOf({ envelopes: [next] }));
      await store.close();
      const again = await openSqliteStore({ path });
      expect(await again.readWal(channelId, { last: 1 })).toEqual({
        envelopes: [next],
        next: null,
        head: whole + 1,
      });
      await again.close();
    }
  });

  it("F-078 or overwritten with NUL bytes, or with one flipped bit, loses only what stands behind that place", {
    timeout: 60_000,
  }, async () => {
    using folder = makeTempFolder(IN_MEMORY);
    const { log, ends } = await makeImage(folder);
    const path = folder.at("torn.db");
    const wal = readFileSync(folder.at("image-wal"));
    const last = ends.at(-1)?.bytes ?? 0;
    const damages: ((bytes: Buffer, at: number) => void)[] = [
      (bytes, at) => void bytes.fill(0, at),
      (bytes, at) => void bytes.writeUInt8((bytes[at] ?? 0) ^ 1, at),
    ];
    for (const damage of damages) {
      for (let at = ends[6]?.bytes ?? 0; at < last; at += 1_013) {
        const bytes = Buffer.from(wal);
        damage(bytes, at);
        copyFileSync(folder.at("image"), path);
        writeFileSync(`${path}-wal`, bytes);
        rmSync(`${path}-shm`, { force: true });
        const store = await openSqliteStore({ path });
        const rows = (await store.recover()).last_row;
        const whole = ends.filter(({ bytes: end }) => end <= at).at(-1)?.rows ?? 0;
        expect(await store.readLog(0)).toEqual(log.slice(0, rows));
        expect(rows).toBeGreaterThanOrEqual(whole);
        expect(rows % 2).toBe(0);
        if (rows < log.length) expect((await store.recover()).repairs).toHaveLength(1);
        await store.close();
      }
    }
  });
});
