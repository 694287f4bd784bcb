import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "./run-cli.js";
import { type Story, startStory } from "./start-story.js";
import { type ToldStory, tellStory } from "./tell-story.js";

let story: Story;
let told: ToldStory;
const search = (...args: string[]) => runCli(["wal", "search", ...args, "--data", story.path]);
const rows = async (...args: string[]): Promise<unknown[]> =>
  (await search(...args, "--json")).values().map((value) => Reflect.get(value as object, "row"));

beforeAll(async () => {
  story = await startStory();
  told = await tellStory(story);
});
afterAll(() => story[Symbol.asyncDispose]());

describe("colloquy wal search", () => {
  it("finds in all channels, in any case, and says in which", async () => {
    const { code, lines, stderr } = await search("AN");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("bob → all  ag2.msg.text  Answer!");
    expect(lines[0]).toContain(told.ask.slice(-8));
    expect(await rows("r")).toHaveLength(4);
  });

  it("finds in one channel, whatever the audience, and escapes what it shows", async () => {
    expect((await search("only", "--channel", told.chat)).lines).toEqual([
      "     5  2026-01-01 00:00:02.000Z  bob → alice  ag2.msg.text  Only for you",
    ]);
    expect((await search("BOB", "--channel", told.chat)).lines[0]).toContain(
      "Hello Bob\\nsecond \\u{1b}[31mline",
    );
    expect((await search("welcome", "--channel", told.chat)).lines).toEqual([]);
  });

  it("comes in pages, oldest or newest first, and says where to go on", async () => {
    const all = await rows("r");
    expect(await rows("r", "--newest")).toEqual(all.toReversed());
    const first = await search("r", "--limit", "2");
    expect(first.lines).toHaveLength(2);
    expect(first.stderr).toBe(`There may be more: go on with --after ${all[1]}.\n`);
    expect(await rows("r", "--after", String(all[1]))).toEqual(all.slice(2));
    const newest = await search("r", "--limit", "1", "--newest");
    expect(newest.stderr).toBe(`There may be more: go on with --before ${all.at(-1)}.\n`);
    expect(await rows("r", "--before", String(all[1]))).toEqual(all.slice(0, 1));
    expect(await rows("r", "--limit", "0")).toEqual([]);
  });

  it("shows whole contents with --full, and refuses words that cannot be", async () => {
    const { lines } = await search("hello", "--full");
    expect(lines.slice(1)).toEqual(["        Hello Bob", "        second \\u{1b}[31mline"]);
    const empty = await search("");
    expect(empty.code).toBe(1);
    expect(empty.stderr).toContain("field text: received 0 characters");
  });
});
