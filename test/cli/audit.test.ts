import { createSystemClock } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli, startCli } from "./run-cli.js";
import { type Story, startStory } from "./start-story.js";
import { type ToldStory, tellStory } from "./tell-story.js";

let story: Story;
let told: ToldStory;

beforeAll(async () => {
  story = await startStory();
  told = await tellStory(story);
});
afterAll(() => story[Symbol.asyncDispose]());

const audit = (...args: string[]) => runCli(["audit", ...args, "--data", story.path]);

/** A post that the hub refuses; gives the id that the error names. */
async function refused(key: string): Promise<string> {
  const draft = { channel_id: told.chat, sender_id: told.alice, event_type: "ag2.msg.text" };
  const post = story.hub.post({ ...draft, event_data: { text: 7 }, idempotency_key: key });
  const error = (await post.catch((e: unknown) => e)) as { details: Record<string, string> };
  await story.hub.audit.readAll();
  return error.details["refusal_id"] ?? "";
}

describe("colloquy audit", () => {
  it("finds in one question why an envelope was refused, while the hub runs", async () => {
    const id = await refused("try-1");
    await refused("try-2");
    const byId = await audit("read", "--refusal", id, "--json");
    expect(byId.code).toBe(0);
    expect(byId.lines).toHaveLength(1);
    const byKey = await audit("read", "--agent", "alice", "--key", "try-1", "--json");
    expect(byKey.lines).toEqual(byId.lines);
    expect(JSON.parse(byId.lines[0] ?? "null")).toMatchObject({
      record: { kind: "refused", what: "post", refusal_id: id, idempotency_key: "try-1" },
    });
    const lines = (await audit("read", "--kind", "refused", "--last", "1")).lines;
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("idempotency_key=try-2");
  });

  it("reads by channel and time, exports all, and verifies", async () => {
    const ofChannel = await audit(
      "read",
      "--channel",
      told.chat,
      "--kind",
      "channel_created",
      "--json",
    );
    expect(ofChannel.lines).toHaveLength(1);
    expect((await audit("read", "--until", "2001-01-01T00:00:00Z")).lines).toEqual([]);
    const all = (await story.hub.audit.readAll()).length;
    const exported = await audit("export");
    expect(exported.lines).toHaveLength(all);
    expect(JSON.parse(exported.lines[0] ?? "null")).toMatchObject({ sequence: 1, prev_hash: "" });
    const verified = await audit("verify", "--json");
    expect(verified.code).toBe(0);
    expect(JSON.parse(verified.lines[0] ?? "null")).toMatchObject({ isWhole: true, records: all });
    expect((await audit("verify")).lines[0]).toContain(`verified: ${all} records`);
  });

  it("follows until a signal", async () => {
    const args = ["audit", "tail", "--last", "0", "--kind", "note", "--interval", "1"];
    const { terminal, done } = startCli([...args, "--data", story.path], {
      clock: createSystemClock(),
    });
    await until(() => terminal.listening);
    story.hub.audit.append({ kind: "note", text: "fresh" });
    await story.hub.audit.readAll();
    await until(() => terminal.stdout.includes("text=fresh"));
    terminal.signal("SIGINT");
    const { code, lines } = await done;
    expect(code).toBe(0);
    expect(lines).toHaveLength(1);
  });

  it("shows a record that was changed behind the hub's back", async () => {
    const db = new Database(story.path);
    const change = db.prepare("UPDATE audit SET record = replace(record, ?, ?) WHERE sequence = 2");
    change.run('"kind":"', '"kind":"x');
    const { code, lines } = await audit("verify");
    change.run('"kind":"x', '"kind":"');
    db.close();
    expect(code).toBe(1);
    expect(lines[0]).toContain("broken: record 2 was changed");
  });
});
