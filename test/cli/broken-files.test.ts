import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "./run-cli.js";
import { type Story, startStory } from "./start-story.js";
import { type ToldStory, tellStory } from "./tell-story.js";

let story: Story;
let told: ToldStory;

beforeAll(async () => {
  story = await startStory();
  told = await tellStory(story);
  await story.end();
});
afterAll(() => story[Symbol.asyncDispose]());

/** A copy of the data file, changed. */
function spoil(name: string, change: (path: string) => void): string {
  const path = join(story.folder, name);
  copyFileSync(story.path, path);
  change(path);
  return path;
}

const commands = (data: string): string[][] => [
  ["wal", "list", "--data", data],
  ["wal", "read", told.chat, "--data", data],
  ["wal", "tail", told.chat, "--data", data],
  ["wal", "verify", "--data", data],
  ["wal", "export", "--data", data],
  ["replay", told.chat, "--data", data],
  ["backup", join(story.folder, "copy.db"), "--data", data],
];

/** Every reading command fails with one clear sentence, and touches nothing. */
async function expectRefusal(data: string, expected: RegExp): Promise<void> {
  for (const args of commands(data)) {
    const { code, stdout, stderr } = await runCli(args);
    expect(code, args.join(" ")).toBe(1);
    expect(stdout, args.join(" ")).toBe("");
    expect(stderr, args.join(" ")).toMatch(expected);
    expect(stderr).not.toContain("unexpected fault");
    expect(stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(2);
  }
}

describe("reading commands refuse", () => {
  it("a file that is not there, and make none", async () => {
    await expectRefusal(
      join(story.folder, "none.db"),
      /there is no data file .*none\.db\.\nName one/,
    );
  });

  it("a file that is no database", async () => {
    const path = spoil("text.db", (at) => writeFileSync(at, "not a database\n".repeat(1_000)));
    await expectRefusal(path, /no SQLite database/);
    expect(readFileSync(path, "utf8")).toMatch(/^not a database/);
  });

  it("a database of another program", async () => {
    const path = join(story.folder, "foreign.db");
    const db = new Database(path);
    db.exec("CREATE TABLE song (title TEXT); INSERT INTO song VALUES ('one')");
    db.close();
    const { mtimeMs, size } = statSync(path);
    await expectRefusal(path, /is a SQLite database of another program/);
    expect(statSync(path)).toMatchObject({ mtimeMs, size });
  });

  it("a newer version", async () => {
    const path = spoil("newer.db", (at) => {
      const db = new Database(at);
      db.pragma("user_version = 99");
      db.close();
    });
    await expectRefusal(path, /has schema version 99, newer than .*run a newer Colloquy/);
  });

  it("an empty file", async () => {
    await expectRefusal(
      spoil("empty.db", (at) => truncateSync(at, 0)),
      /holds no store yet/,
    );
  });

  it("a folder", async () => {
    const path = join(story.folder, "folder.db");
    mkdirSync(path);
    await expectRefusal(path, /it is a folder/);
  });
});

it("a file that is cut short or damaged gives words, never a stack", async () => {
  const pages = Math.floor(statSync(story.path).size / 4096);
  const cuts = Array.from({ length: pages - 1 }, (_, at) => at + 1);
  for (const page of cuts) {
    const cut = spoil("cut.db", (at) => truncateSync(at, page * 4096));
    const hole = spoil("hole.db", (at) => {
      const bytes = readFileSync(at);
      writeFileSync(at, bytes.fill(0xa5, page * 4096, (page + 1) * 4096));
    });
    for (const data of [cut, hole]) {
      for (const args of [["wal", "list"], ["wal", "verify"], ["doctor"]]) {
        const { code, stderr } = await runCli([...args, "--data", data]);
        expect([0, 1], `${args.join(" ")} at page ${page}`).toContain(code);
        expect(stderr, `${args.join(" ")} at page ${page}`).not.toContain("unexpected fault");
      }
    }
  }
});
