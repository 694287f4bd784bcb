import { makeTempFolder, type TempFolder } from "@colloquy/testkit";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { VERSION_1 } from "../schema/version-1.js";
import { createHeadIndex } from "./head-index.js";

const LIMITS = { rowsPerMark: 10, maxChannels: 5 };
const HASH = Buffer.alloc(32, 7);

/** A database whose rows are written as an owner writes them, round robin over so many channels. */
function openLog(folder: TempFolder, channels: number) {
  const db = new Database(folder.at("hub.db"));
  db.pragma("journal_mode = WAL");
  db.exec(VERSION_1);
  for (let number = 1; number <= channels; number += 1) {
    db.prepare("INSERT INTO channel VALUES (?, ?, 'active', '{}')").run(number, `c${number}`);
  }
  const insert = db.prepare(
    "INSERT INTO envelope VALUES (?, ?, ?, 0, ?, 's', NULL, 't', ?, ?, '{}')",
  );
  const index = createHeadIndex(db, LIMITS);
  let row = 0;
  const write = (count: number) => {
    for (let step = 0; step < count; step += 1) {
      row += 1;
      const channel = ((row - 1) % channels) + 1;
      const position = Math.ceil(row / channels);
      insert.run(row, channel, position, `id${row}`, HASH, HASH);
      index.moved(channel, { position, row, hash: HASH.toString("hex") });
      index.advance(row, `id${row}`);
      if (index.markDue) {
        index.writeMark();
        index.marked();
      }
    }
  };
  const mark = () => db.prepare("SELECT value FROM mark WHERE name = 'heads_to'").pluck().get();
  return { db, index, write, mark };
}

/** What the newest row of each channel must be after `rows` rows. */
function expectedHead(channel: number, channels: number, rows: number) {
  const position = Math.floor((rows - channel) / channels) + 1;
  return { position, row: (position - 1) * channels + channel, hash: HASH.toString("hex") };
}

describe("heads of channels", () => {
  it("are marked every so many rows, and found again by a new opening from any state", () => {
    using folder = makeTempFolder();
    const { db, index, write, mark } = openLog(folder, 7);
    write(9);
    expect(mark()).toBeUndefined();
    for (let rows = 10; rows <= 60; rows += 1) {
      write(1);
      expect(mark()).toBe(rows - (rows % 10));
      const fresh = createHeadIndex(db, LIMITS);
      expect(fresh).toMatchObject({ lastRow: rows, lastId: `id${rows}`, repairs: [] });
      for (let channel = 1; channel <= 7; channel += 1) {
        const expected = expectedHead(channel, 7, rows);
        expect(fresh.headOf(channel)).toEqual(expected);
        expect(index.headOf(channel)).toEqual(expected);
      }
    }
    db.close();
  });

  it("of many channels are forgotten and read again from the tables", () => {
    using folder = makeTempFolder();
    const { db, index, write } = openLog(folder, 40);
    write(100);
    for (let channel = 40; channel >= 1; channel -= 1) {
      expect(index.numberOf(`c${channel}`)).toBe(channel);
      expect(index.headOf(channel)).toEqual(expectedHead(channel, 40, 100));
    }
    expect(index.numberOf("c41")).toBeNull();
    expect(index.headOf(41)).toEqual({ position: 0, row: 0, hash: "" });
    db.close();
  });

  it("a reader catches up with what another process writes, across marks", () => {
    using folder = makeTempFolder();
    const { db, write } = openLog(folder, 12);
    const other = new Database(folder.at("hub.db"), { readonly: true });
    const reader = createHeadIndex(other, LIMITS);
    for (let rows = 1; rows <= 80; rows += 1) {
      write(1);
      if (rows % 3 !== 0) continue;
      reader.catchUp();
      expect(reader).toMatchObject({ lastRow: rows, lastId: `id${rows}` });
      for (const channel of [1, 6, 12].filter((one) => one <= rows)) {
        expect(reader.headOf(channel)).toEqual(expectedHead(channel, 12, rows));
      }
    }
    other.close();
    db.close();
  });
});
