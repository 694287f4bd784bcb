import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "./run-cli.js";
import { type Story, startStory } from "./start-story.js";
import { type ToldStory, tellStory } from "./tell-story.js";

let story: Story;
let told: ToldStory;
const list = (...args: string[]) => runCli(["wal", "list", "--data", story.path, ...args]);

beforeAll(async () => {
  story = await startStory();
  told = await tellStory(story);
});
afterAll(() => story[Symbol.asyncDispose]());

describe("colloquy wal list", () => {
  it("shows every channel with its members while the hub runs", async () => {
    const { code, lines, stderr } = await list();
    expect(code).toBe(0);
    expect(stderr).toBe("");
    expect(lines[0]).toMatch(/^CHANNEL +TYPE +STATE +ENVELOPES +OPENED +LAST +PARTICIPANTS$/);
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(new RegExp(`^${told.chat} +conversation +active +7 .*alice, bob$`));
    expect(lines[2]).toMatch(/consulting +closed \(consulting_complete\) +6 /);
    expect(lines[3]).toMatch(/discussion +active +6 .*alice, bob, carol$/);
  });

  it("gives machines one JSON value per channel", async () => {
    const values = (await list("--json")).values();
    expect(values).toHaveLength(3);
    expect(values[1]).toEqual({
      channel_id: told.ask,
      type: "consulting",
      state: "closed",
      close_reason: "consulting_complete",
      participants: [
        { agent_id: told.alice, name: "alice" },
        { agent_id: told.bob, name: "bob" },
      ],
      envelopes: 6,
      opened_at: "2026-01-01T00:00:04.000000+00:00",
      last_at: "2026-01-01T00:00:06.000000+00:00",
    });
  });

  it("filters by state and by agent, whom a name or a part of the id names", async () => {
    const ids = async (...args: string[]) =>
      (await list("--json", ...args))
        .values()
        .map((value) => Reflect.get(value as object, "channel_id"));
    expect(await ids("--state", "closed")).toEqual([told.ask]);
    expect(await ids("--state", "closed", "--state", "active")).toHaveLength(3);
    expect(await ids("--agent", "carol")).toEqual([told.talk]);
    expect(await ids("--agent", told.carol)).toEqual([told.talk]);
    expect(await ids("--agent", "carol", "--state", "closed")).toEqual([]);
    expect((await list("--agent", "carol", "--state", "closed")).stderr).toBe("no channels\n");
  });

  it("suggests whom a wrong name may mean", async () => {
    const { code, stderr } = await list("--agent", "carrol");
    expect(code).toBe(1);
    expect(stderr).toBe('error: no agent is called "carrol".\nDid you mean carol?\n');
  });

  it("refuses an unknown state as a wrong call", async () => {
    const { code, stderr } = await list("--state", "sleeping");
    expect(code).toBe(2);
    expect(stderr).toContain("Give one of pending, active, closing, closed, expired.");
  });

  it("takes the data file from the environment, and cuts lines to the terminal", async () => {
    const env = { COLLOQUY_DATA: story.path };
    const { code, lines } = await runCli(["wal", "list"], { env, isTty: true, columns: 60 });
    expect(code).toBe(0);
    expect(lines[1]).toHaveLength(60);
    expect(lines[1]).toMatch(/…$/);
  });
});
