import type { Store } from "@colloquy/protocol";
import { createFakeClock, until } from "@colloquy/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createChannelTypes } from "../../packages/cli/src/channels/channel-types.js";
import { openReader } from "../../packages/cli/src/data/open-reader.js";
import type { Finding } from "../../packages/cli/src/verify/finding.js";
import { verifyChannel } from "../../packages/cli/src/verify/verify-channel.js";
import { runCli } from "./run-cli.js";
import { type Story, startStory } from "./start-story.js";
import { peek, tamper } from "./tamper.js";
import { type ToldStory, tellStory } from "./tell-story.js";

let story: Story;
let told: ToldStory;
beforeEach(async () => {
  story = await startStory();
  told = await tellStory(story);
});
afterEach(() => story[Symbol.asyncDispose]());

const verify = (...args: string[]) => runCli(["wal", "verify", ...args, "--data", story.path]);

/** Findings as `kind position`, once the hub has ended and the file was tampered with. */
async function findings(...args: string[]): Promise<string[]> {
  const run = await verify(...args, "--json");
  const values = run.values() as { finding?: Finding; summary?: { findings: number } }[];
  const found = values.flatMap(({ finding }) => finding ?? []);
  expect(run.code).toBe(found.length === 0 ? 0 : 1);
  expect(values.at(-1)?.summary?.findings).toBe(found.length);
  return found.map(({ kind, position }) => `${kind} ${position}`);
}

describe("colloquy wal verify", () => {
  it("finds a sound file sound, while the hub runs and after", async () => {
    const running = await verify();
    expect(running.code).toBe(0);
    expect(running.stdout).toBe("verified: 3 channels, 19 envelopes\n");
    await story.end();
    expect((await verify()).stdout).toBe("verified: 3 channels, 19 envelopes\n");
    expect((await verify(told.ask, "--json")).values()).toEqual([
      { summary: { ok: true, channels: 1, envelopes: 6, findings: 0, unchecked_types: {} } },
    ]);
  });

  it("finds nothing wrong while envelopes, channels and closings come in", async () => {
    let stop = false;
    const write = async (): Promise<number> => {
      let turns = 0;
      for (; !stop; turns += 1) {
        await story.say(told.chat, turns % 2 === 0 ? told.alice : told.bob, `turn ${turns}`);
        const ask = await story.open(told.alice, [told.bob], "consulting");
        await story.say(ask, told.alice, "Question?");
        await story.say(ask, told.bob, "Answer!");
      }
      return turns;
    };
    const written = write();
    for (let run = 0; run < 5; run += 1) expect(await findings()).toEqual([]);
    stop = true;
    expect(await written).toBeGreaterThan(0);
  });

  it("finds nothing wrong with a snapshot that is written while it reads", async () => {
    const store = await openReader(story.path, createFakeClock());
    const channel = await store.readChannel(told.chat);
    if (channel === null) throw new Error("the story has no such channel");
    let ended = false;
    const watched: Store = {
      ...store,
      async readSnapshot(channelId) {
        await story.say(told.chat, told.bob, "one more");
        await story.end();
        ended = true;
        return store.readSnapshot(channelId);
      },
    };
    const found: Finding[] = [];
    const verification = { store: watched, types: createChannelTypes(), channel };
    for await (const finding of verifyChannel({ ...verification, onEnvelope: () => undefined })) {
      found.push(finding);
    }
    expect((await store.readSnapshot(told.chat))?.position).toBeGreaterThan(7);
    await store.close();
    expect(ended).toBe(true);
    expect(found).toEqual([]);
  });

  it("finds a content that was changed, and nothing behind it", async () => {
    await story.end();
    const sql = "UPDATE envelope SET body = replace(body, 'Third', 'Turd') WHERE n = 6";
    tamper(story.path, sql);
    expect(await findings()).toEqual(["content 6"]);
    const { code, stdout } = await verify(told.chat);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^content channel …\d{8} position 6 \(row 6\): the content is not/);
    expect(stdout).toContain("1 finding: 1 channel, 7 envelopes");
    expect(await findings(told.ask)).toEqual([]);
  });

  it("finds a sender that was changed in the column, and in the body", async () => {
    await story.end();
    tamper(story.path, "UPDATE envelope SET sender = ? WHERE n = 6", told.bob);
    expect(await findings()).toEqual(["column 6"]);
    tamper(story.path, "UPDATE envelope SET sender = ? WHERE n = 6", told.alice);
    tamper(
      story.path,
      "UPDATE envelope SET body = replace(body, ?, ?) WHERE n = 6",
      told.alice,
      told.bob,
    );
    expect(await findings()).toEqual(expect.arrayContaining(["hash 6", "column 6"]));
  });

  it("finds a body that is no envelope", async () => {
    await story.end();
    tamper(story.path, "UPDATE envelope SET body = 'nonsense' WHERE n = 6");
    expect(await findings()).toContain("bad_body 6");
    tamper(story.path, "UPDATE envelope SET body = '{}' WHERE n = 6");
    expect(await findings()).toContain("bad_body 6");
  });

  it("finds an envelope that is gone", async () => {
    await story.end();
    tamper(story.path, "DELETE FROM envelope WHERE n = 6");
    const found = await findings();
    expect(found.length).toBeGreaterThan(0);
    expect(found.some((one) => /^(channel|hole|row|head) /.test(one))).toBe(true);
  });

  it("finds an envelope that nothing leads to", async () => {
    await story.end();
    const channel = peek(story.path, "SELECT channel FROM envelope WHERE n = 19");
    tamper(story.path, "UPDATE envelope SET channel = 99 WHERE n = 19");
    expect((await findings()).length).toBeGreaterThan(0);
    tamper(story.path, "UPDATE envelope SET channel = ? WHERE n = 19", channel);
    expect(await findings()).toEqual([]);
  });

  it("finds a snapshot that is not what a fold gives", async () => {
    await story.end();
    tamper(
      story.path,
      "UPDATE snapshot SET state = replace(state, '\"turn_count\":4', '\"turn_count\":5')",
    );
    expect(await findings()).toEqual(["snapshot 7"]);
  });

  it("finds a channel whose state and last envelope disagree", async () => {
    await story.end();
    const setState =
      "UPDATE channel SET state = ?, metadata = replace(metadata, ?, ?) WHERE id = ?";
    tamper(story.path, setState, "active", '"state":"closed"', '"state":"active"', told.ask);
    expect(await findings(told.ask)).toEqual(["end 0"]);
    tamper(story.path, setState, "closed", '"state":"active"', '"state":"closed"', told.chat);
    expect(await findings(told.chat)).toEqual(["end 0"]);
  });

  it("finds a turn that the channel's protocol does not allow", async () => {
    await story.end();
    const metadata = "UPDATE channel SET metadata = replace(metadata, ?, ?) WHERE id = ?";
    const roles: [string, string][] = [
      ['"role":"initiator"', '"role":"participant"'],
      ['"role":"respondent"', '"role":"initiator"'],
      ['"role":"participant"', '"role":"respondent"'],
    ];
    for (const [from, to] of roles) tamper(story.path, metadata, from, to, told.ask);
    const { code, stdout } = await verify(told.ask);
    expect(code).toBe(1);
    expect(stdout).toMatch(/turn channel .* position 4 .*its turn was not allowed: .*initiator/);
  });

  it("finds a sender who takes no part", async () => {
    await story.end();
    const metadata = "UPDATE channel SET metadata = replace(metadata, ?, ?) WHERE id = ?";
    tamper(story.path, metadata, told.bob, told.carol, told.chat);
    const { stdout } = await verify(told.chat);
    expect(stdout).toContain(`sender ${told.bob} takes no part in the channel`);
  });

  it("says which turns it could not check, and checks the rest", async () => {
    await story.end();
    const metadata = "UPDATE channel SET metadata = replace(metadata, ?, ?) WHERE id = ?";
    tamper(story.path, metadata, '"type":"conversation"', '"type":"auction"', told.chat);
    const { code, stderr } = await verify();
    expect(code).toBe(0);
    expect(stderr).toContain("turns not checked: 1 channel of the unknown type auction version 1");
  });

  it("checks one channel only, and refuses one that is not there", async () => {
    const { code, stderr } = await verify("nowhere");
    expect(code).toBe(1);
    expect(stderr).toContain("no channel is called");
  });
});

it("knows every built-in channel type", () => {
  const types = createChannelTypes();
  for (const type of ["consulting", "conversation", "discussion", "workflow"]) {
    const manifest = { type, version: 1 };
    expect(types.of({ manifest } as never)?.manifest.type).toBe(type);
  }
});

it("shows a bar on a terminal and leaves results clean", async () => {
  await using quick = await startStory();
  await tellStory(quick);
  const run = await runCli(["wal", "verify", "--data", quick.path], { isTty: true, columns: 80 });
  await until(() => run.stdout.length > 0);
  expect(run.stderr).toBe("");
  expect(run.stdout).toContain("verified");
});
