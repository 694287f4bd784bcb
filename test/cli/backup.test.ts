import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCli } from "./run-cli.js";
import { type Story, startStory } from "./start-story.js";
import { tamper } from "./tamper.js";
import { type ToldStory, tellStory } from "./tell-story.js";

let story: Story;
let told: ToldStory;
let copy: string;
const backup = (...args: string[]) => runCli(["backup", copy, "--data", story.path, ...args]);

beforeEach(async () => {
  story = await startStory();
  told = await tellStory(story);
  copy = join(story.folder, "copies", "monday.db");
});
afterEach(() => story[Symbol.asyncDispose]());

describe("colloquy backup", () => {
  it("copies a file on which a hub runs, and verifies the copy", async () => {
    const { code, stdout } = await backup();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^copied and verified: 3 channels, 19 envelopes, [\d.]+ KiB in /);
    expect(readdirSync(join(story.folder, "copies"))).toEqual(["monday.db"]);
    await story.say(told.chat, told.alice, "after the copy");
    const read = ["wal", "read", told.chat, "--data", copy];
    expect((await runCli(read)).lines).toHaveLength(7);
    expect((await runCli(["replay", told.talk, "--data", copy])).code).toBe(0);
  });

  it("copies one sound state while the hub writes", async () => {
    let stop = false;
    const write = async (): Promise<void> => {
      for (let turn = 0; !stop; turn += 1) {
        await story.say(told.chat, turn % 2 === 0 ? told.alice : told.bob, `turn ${turn}`);
      }
    };
    const written = write();
    const { code, values } = await backup("--json");
    stop = true;
    await written;
    expect(code).toBe(0);
    expect(values()).toEqual([
      {
        backup: copy,
        verified: true,
        channels: 3,
        envelopes: expect.any(Number),
        bytes: expect.any(Number),
      },
    ]);
  });

  it("leaves alone what is there already", async () => {
    copy = join(story.folder, "taken.db");
    writeFileSync(copy, "mine");
    const { code, stderr } = await backup();
    expect(code).toBe(1);
    expect(stderr).toContain("exists already and is left as it is");
  });

  it("says when the copy has a fault of the original", async () => {
    await story.end();
    tamper(story.path, "UPDATE envelope SET body = replace(body, 'Third', 'Turd') WHERE n = 6");
    const { code, stderr } = await backup();
    expect(code).toBe(1);
    expect(stderr).toContain("is not sound at channel");
    expect(existsSync(copy)).toBe(true);
  });
});
