import { truncateSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Check } from "../../packages/cli/src/doctor/check.js";
import { type CliOptions, runCli } from "./run-cli.js";
import { type Story, startStory } from "./start-story.js";
import { tamper } from "./tamper.js";
import { type ToldStory, tellStory } from "./tell-story.js";

let story: Story;
let told: ToldStory;

beforeEach(async () => {
  story = await startStory();
  told = await tellStory(story);
});
afterEach(() => story[Symbol.asyncDispose]());

const doctor = (args: readonly string[] = [], options?: CliOptions, data = story.path) =>
  runCli(["doctor", "--data", data, ...args], options);

async function checks(options?: CliOptions, data?: string): Promise<Record<string, Check>> {
  const { code, values } = await doctor(["--json"], options, data);
  const { ok, checks: all } = values()[0] as { ok: boolean; checks: Check[] };
  expect(code).toBe(ok ? 0 : 1);
  expect(ok).toBe(all.every(({ status }) => status !== "fail"));
  for (const check of all) expect(check.remedy === null, check.name).toBe(check.status === "ok");
  return Object.fromEntries(all.map((check) => [check.name, check]));
}

describe("colloquy doctor", () => {
  it("finds everything well, and who holds the file", async () => {
    const { code, lines } = await doctor();
    expect(code).toBe(0);
    for (const line of lines) expect(line).toMatch(/^(ok |warn) /);
    const found = await checks();
    expect(Object.keys(found)).toEqual([
      ...["node", "settings", "durability", "data file", "owner"],
      ...["integrity", "channels", "disk", "journal"],
    ]);
    expect(found["data file"]?.message).toContain("schema version 3");
    expect(found["owner"]?.message).toContain(`process ${process.pid} on ${hostname()}`);
    expect(found["channels"]?.message).toBe("2 open channels, none broken");
    await story.end();
    expect((await checks())["owner"]?.message).toBe("no hub holds it");
  });

  it("leaves the hub at work", async () => {
    await doctor();
    await story.say(told.chat, told.alice, "still here");
    expect(story.hub.health().status).toBe("ok");
  });

  it("fails where there is no data file", async () => {
    const found = await checks({}, join(story.folder, "none.db"));
    expect(found["data file"]).toMatchObject({ status: "fail" });
    expect(found["data file"]?.remedy).toContain("COLLOQUY_DATA");
    expect(found["channels"]).toBeUndefined();
  });

  it("fails for settings that could not start a hub, and warns of relaxed durability", async () => {
    const wrong = await checks({ env: { COLLOQUY_HOST: "0.0.0.0" } });
    expect(wrong["settings"]).toMatchObject({ status: "fail" });
    expect(wrong["settings"]?.message).toContain("environment variable COLLOQUY_HOST");
    const relaxed = await checks({ env: { COLLOQUY_DURABILITY: "os" } });
    expect(relaxed["durability"]).toMatchObject({ status: "warn" });
  });

  it("names channels that cannot be used", async () => {
    await story.end();
    tamper(story.path, "UPDATE envelope SET body = '{}' WHERE n = 19");
    tamper(story.path, "DELETE FROM snapshot");
    const found = await checks();
    expect(found["channels"]?.status).toBe("fail");
    expect(found["channels"]?.message).toContain("1 of 2 cannot be used");
    expect(found["channels"]?.message).toContain(told.talk.slice(-8));
  });

  it("warns of channel types that are not built in", async () => {
    await story.end();
    const sql = "UPDATE channel SET metadata = replace(metadata, ?, ?) WHERE id = ?";
    tamper(story.path, sql, '"type":"conversation"', '"type":"auction"', told.chat);
    expect((await checks())["channel types"]).toMatchObject({ status: "warn" });
  });

  it("fails for a foreign file, a newer version and a file that is cut short", async () => {
    await story.end();
    const foreign = join(story.folder, "foreign.db");
    writeFileSync(foreign, "this is no database at all, but it is long enough".repeat(100));
    expect((await checks({}, foreign))["data file"]?.message).toContain("no SQLite database");
    tamper(story.path, "INSERT INTO mark (name, value) VALUES ('x', 1)");
    const { default: Database } = await import("better-sqlite3");
    const db = new Database(story.path);
    db.pragma("user_version = 99");
    expect((await checks())["data file"]?.message).toContain("schema version 99, newer than");
    db.pragma("user_version = 1");
    db.pragma("wal_checkpoint(TRUNCATE)");
    db.close();
    truncateSync(story.path, 4096 * 6);
    const cut = await checks();
    const failed = Object.values(cut).filter(({ status }) => status === "fail");
    expect(failed.length).toBeGreaterThan(0);
  });
});
