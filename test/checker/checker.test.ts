import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { makeTempFolder } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { runCli } from "../cli/run-cli.js";
import { startStory } from "../cli/start-story.js";
import { tellStory } from "../cli/tell-story.js";
import { importsOf, listTypeScript } from "../source-files.js";
import { check } from "./check.js";
import type { FindingKind } from "./finding.js";
import { createLogMaker, type LogMaker, type MadeChannel } from "./log-maker.js";

const [A, B, C] = ["a", "b", "c"] as const;

/** A log of three agents with one channel of each type, and the channels to plant faults in. */
interface Plot {
  readonly maker: LogMaker;
  readonly ask: MadeChannel;
  readonly talk: MadeChannel;
  readonly chat: MadeChannel;
}

function plot(): Plot {
  const maker = createLogMaker();
  for (const id of [A, B, C]) maker.agent(id);
  const ask = maker.open("consulting", [A, B]);
  ask.say(A, "Question?");
  const talk = maker.open("discussion", [A, B, C], { knobs: { max_turns: 5 } });
  talk.say(A, "one");
  talk.say(B, "two");
  const chat = maker.open("conversation", [B, C]);
  chat.say(B, "hello", { idempotency_key: "k1" });
  return { maker, ask, talk, chat };
}

async function kindsOf(lines: readonly string[], ...journals: object[][]): Promise<FindingKind[]> {
  const texts = journals.map((journal, index) => ({
    name: `journal-${index}`,
    text: journal.map((line) => `${JSON.stringify(line)}\n`).join(""),
  }));
  const { findings } = await check("log", lines, texts);
  return findings.map(({ kind }) => kind);
}

/** The plot with something more in it. */
function kindsWith(plant: (story: Plot) => void): Promise<FindingKind[]> {
  const story = plot();
  plant(story);
  return kindsOf(story.maker.lines());
}

/** The plot's export with its text changed afterwards. */
function kindsAfter(edit: (lines: string[]) => string[]): Promise<FindingKind[]> {
  return kindsOf(edit(plot().maker.lines()));
}

const swap = (lines: string[], one: number, other: number): string[] =>
  lines.map((line, at) => (at === one ? lines[other] : at === other ? lines[one] : line) ?? line);
const lineWith = (lines: readonly string[], part: string): number =>
  lines.findIndex((line) => line.includes(part));
const invite = (invitee: string, fields: object = {}) =>
  ["ag2.channel.invite", {}, { audience: [invitee], ...fields }] as const;
const going = (agentId: string, audience: readonly string[]) =>
  ["ag2.channel.participant.left", { agent_id: agentId }, { audience }] as const;

/** A member leaves, as the envelopes and the metadata say. */
function leave(channel: MadeChannel, agentId: string): void {
  const before = channel.metadata["participants"] as { agent_id: string; order: number }[];
  const ids = before.map(({ agent_id }) => agent_id);
  channel.metadata["founders"] ??= before;
  channel.metadata["participants"] = before.filter(({ agent_id }) => agent_id !== agentId);
  channel.append(...going(agentId, ids));
}

describe("the checker", () => {
  it("finds nothing in a sound log, and counts what it saw", async () => {
    const { maker, ask, talk, chat } = plot();
    ask.say(B, "Answer!");
    ask.close("consulting_complete");
    for (const [speaker, text] of [
      [C, "three"],
      [A, "four"],
      [B, "five"],
    ] as const) {
      talk.say(speaker, text);
    }
    talk.close("max_turns");
    const last = chat.say(C, "for b alone", { audience: [B] });
    maker.settled(B, chat.id, { cursor: last, floor: 4, above: [5] });
    maker.settled(A, ask.id, { settled: true });
    const { findings, channels, envelopes } = await check("log", maker.lines());
    expect(findings).toEqual([]);
    expect([channels, envelopes]).toEqual([3, 22]);
  });

  it("finds nothing in the export of a real hub", async () => {
    await using story = await startStory();
    await tellStory(story);
    const { lines } = await runCli(["wal", "export", "--data", story.path]);
    const verdict = await check("export", lines);
    expect(verdict.findings).toEqual([]);
    expect(verdict).toMatchObject({ channels: 3, envelopes: 19 });
  });

  it("uses nothing of what it checks", () => {
    const sources = listTypeScript("test/checker").filter((path) => !path.endsWith(".test.ts"));
    expect(sources.length).toBeGreaterThan(10);
    const imports = sources.flatMap((path) => importsOf(path).map((id) => ({ path, id })));
    const foreign = imports.filter(({ id }) => !id.startsWith("node:") && id !== "zod");
    const outside = foreign.filter(({ id }) => !/^\.\.?\/(?!\.\.\/\.\.)[\w./-]+\.js$/.test(id));
    expect(outside).toEqual([]);
    expect(imports.filter(({ id }) => id.includes("packages") || id.includes("@"))).toEqual([]);
  });
});

describe("lines and order", () => {
  const plants: [string, (lines: string[]) => string[], FindingKind[]][] = [
    ["a line that is no JSON", (l) => l.map((x, at) => (at === 2 ? "{" : x)), ["format", "count"]],
    [
      "a line of another shape",
      (l) => l.map((x, at) => (at === 2 ? "{}" : x)),
      ["format", "count"],
    ],
    [
      "a newer header",
      (l) => [(l[0] ?? "").replace('"version":1', '"version":2'), ...l.slice(1)],
      ["format"],
    ],
    ["a file that was cut off", (l) => l.slice(0, -1), ["count"]],
    ["an agent that is gone", (l) => l.filter((_, at) => at !== 1), ["count"]],
    ["a line behind the end", (l) => [...l, l[1] ?? ""], ["count"]],
    ["agents behind channels", (l) => swap(l, 1, 4), ["count"]],
    [
      "the same channel twice",
      (l) => [...l.slice(0, 5), l[4] ?? "", ...l.slice(5)],
      ["count", "count"],
    ],
    [
      "an envelope that is gone",
      (l) => l.filter((x) => !x.includes('"one"')),
      ["count", "hole", "hash", "turn"],
    ],
    [
      "two envelopes that changed places",
      (l) => swap(l, lineWith(l, '"one"'), lineWith(l, '"two"')),
      ["row", "id_order", "hole", "hole", "hash", "hash", "turn", "turn"],
    ],
    ["a content that was changed", (l) => l.map((x) => x.replace('"one"', '"won"')), ["content"]],
    [
      "a sender that was changed",
      (l) =>
        l.map((x) => (x.includes('"hello"') ? x.replace('"sender_id":"b"', '"sender_id":"c"') : x)),
      ["hash"],
    ],
    [
      "a hash that was changed",
      (l) =>
        l.map((x) =>
          x.includes('"one"')
            ? x.replace(/"hash":"[0-9a-f]{64}"/, `"hash":"${"f".repeat(64)}"`)
            : x,
        ),
      ["hash", "hash"],
    ],
    [
      "a channel that is gone",
      (l) => l.filter((x) => !x.includes('"type":"consulting"')),
      ["channel", "channel", "channel", "channel", "count"],
    ],
  ];
  it.each(plants)("finds %s", async (_what, edit, expected) => {
    expect((await kindsAfter(edit)).sort()).toEqual([...expected].sort());
  });
});

describe("members and courses", () => {
  const plants: [string, (story: Plot) => void, FindingKind[]][] = [
    ["a sender who takes no part", ({ chat }) => chat.say(A, "me too"), ["member"]],
    [
      "an audience with a stranger",
      ({ chat }) => chat.say(B, "x", { audience: [C, A] }),
      ["member"],
    ],
    [
      "an audience that names somebody twice",
      ({ chat }) => chat.say(B, "x", { audience: [C, C] }),
      ["member"],
    ],
    [
      "an answer without an invitation",
      ({ chat }) => chat.append("ag2.channel.invite.ack", {}),
      ["course"],
    ],
    ["a second opening", ({ chat }) => chat.append("ag2.channel.opened", {}), ["course"]],
    [
      "words of one who has left",
      ({ chat }) => [leave(chat, C), chat.say(C, "PS", { audience: [B] })],
      ["member"],
    ],
    [
      "words to one who has left",
      ({ chat }) => [leave(chat, C), chat.say(B, "x", { audience: [C] })],
      ["member"],
    ],
    [
      "members that the envelopes do not make",
      ({ chat }) => chat.append(...going(C, [B, C])),
      ["member"],
    ],
    [
      "somebody who is invited again while taking part",
      ({ chat }) => chat.append("ag2.channel.invite", { invited_by: B }, { audience: [C] }),
      ["course"],
    ],
    ["an invitation later on", ({ chat }) => chat.append(...invite(C)), ["course", "course"]],
    [
      "an invitation in another's name",
      ({ maker }) =>
        maker
          .open("conversation", [A, B], { opened: false })
          .append(...invite(B, { sender_id: B })),
      ["course"],
    ],
    [
      "words before the opening",
      ({ maker }) => {
        const early = maker.open("conversation", [A, B], { opened: false });
        early.append(...invite(B));
        early.say(A, "too soon");
      },
      ["course"],
    ],
    [
      "an opening without enough answers",
      ({ maker }) => {
        const early = maker.open("conversation", [A, B], { opened: false });
        early.append(...invite(B));
        early.append("ag2.channel.opened", {});
        early.metadata["state"] = "active";
      },
      ["course"],
    ],
    [
      "an opening that is put off",
      ({ maker }) => {
        const late = maker.open("conversation", [A, B], { opened: false });
        late.append(...invite(B));
        late.append("ag2.channel.invite.ack", {}, { sender_id: B });
        late.append("ag2.task.note", {});
        late.append("ag2.channel.opened", {});
        late.metadata["state"] = "active";
      },
      ["course"],
    ],
    [
      "a state that the log does not bear out",
      ({ chat }) => Object.assign(chat.metadata, { state: "pending" }),
      ["course"],
    ],
    ["something behind the end", ({ chat }) => [chat.close("done"), chat.say(B, "PS")], ["end"]],
    ["a second end", ({ chat }) => [chat.close("done"), chat.close("done")], ["end"]],
    [
      "an end without an envelope",
      ({ chat }) => Object.assign(chat.metadata, { state: "expired" }),
      ["end"],
    ],
    [
      "an end that the metadata does not know",
      ({ chat }) => [chat.close("done"), Object.assign(chat.metadata, { state: "active" })],
      ["end"],
    ],
    [
      "an end with another reason",
      ({ chat }) => [chat.close("done"), Object.assign(chat.metadata, { close_reason: "other" })],
      ["end"],
    ],
  ];
  it.each(plants)("finds %s", async (_what, plant, expected) => {
    expect(await kindsWith(plant)).toEqual(expected);
  });

  it("takes members that come and go, with the turn passing on", async () => {
    const kinds = await kindsWith(({ talk }) => {
      leave(talk, C);
      talk.say(A, "three");
      talk.append("ag2.channel.invite", { invited_by: B }, { audience: [C], sender_id: B });
      talk.append("ag2.channel.invite.ack", {}, { sender_id: C });
      const participants = [A, B, C].map((agent_id, order) => ({ agent_id, order }));
      talk.metadata["participants"] = participants;
      talk.append("ag2.channel.participant.joined", { agent_id: C }, { audience: [A, B, C] });
      talk.say(B, "four");
      talk.say(C, "five");
      talk.close("max_turns");
    });
    expect(kinds).toEqual([]);
  });

  it("takes a channel that opens without all, and one that failed to open", async () => {
    const kinds = await kindsWith(({ maker }) => {
      maker.open("discussion", [A, B, C], { requiredAcks: 1 });
      const failed = maker.open("conversation", [A, B], { opened: false });
      failed.append(...invite(B));
      failed.append("ag2.channel.invite.reject", {}, { sender_id: B });
      failed.close("invite_rejected");
    });
    expect(kinds).toEqual([]);
  });
});

describe("turns and repeats", () => {
  const cause = "0".repeat(32);
  const plants: [string, (story: Plot) => void, FindingKind[]][] = [
    ["a question that is asked twice", ({ ask }) => ask.say(A, "And?"), ["turn", "end"]],
    [
      "a question of the wrong one",
      ({ maker }) => maker.open("consulting", [A, B]).say(B, "?"),
      ["turn"],
    ],
    ["a consulting that goes on", ({ ask }) => ask.say(B, "Answer!"), ["end"]],
    [
      "a consulting that ends otherwise",
      ({ ask }) => [ask.say(B, "Answer!"), ask.close("done")],
      ["end"],
    ],
    [
      "a turn of one who follows nobody that has left",
      ({ talk }) => [leave(talk, C), talk.say(B, "mine")],
      ["turn"],
    ],
    ["a turn out of the round", ({ talk }) => talk.say(B, "again"), ["turn"]],
    [
      "a discussion that begins with another",
      ({ maker }) => maker.open("discussion", [A, B]).say(B, "I"),
      ["turn"],
    ],
    [
      "a discussion beyond its turns",
      ({ talk }) => [C, A, B].map((speaker) => talk.say(speaker, "more")),
      ["end"],
    ],
    [
      "a discussion beyond its guard",
      ({ maker }) => {
        const loop = maker.open("discussion", [A, B], { knobs: { loop_guard: 2 } });
        loop.say(A, "1", { causation_id: cause });
        loop.say(B, "2", { causation_id: `${cause.slice(1)}1` });
      },
      ["end"],
    ],
    [
      "a key that is used twice",
      ({ chat }) => chat.say(B, "hello", { idempotency_key: "k1" }),
      ["repeat"],
    ],
    [
      "two replies to one cause",
      ({ chat }) => [
        chat.say(C, "1", { causation_id: cause }),
        chat.say(C, "2", { causation_id: cause }),
      ],
      ["reply"],
    ],
  ];
  it.each(plants)("finds %s", async (_what, plant, expected) => {
    expect(await kindsWith(plant)).toEqual(expected);
  });

  it("lets people answer twice, others use the same key, and a key come again after long", async () => {
    const kinds = await kindsWith(({ maker, chat }) => {
      maker.agent("h", { kind: "human" });
      const room = maker.open("conversation", ["h", C]);
      room.say("h", "1", { causation_id: cause });
      room.say("h", "2", { causation_id: cause });
      chat.say(C, "hello", { idempotency_key: "k1" });
      for (let at = 0; at < 1_024; at += 1) chat.say(C, `${at}`);
      chat.say(B, "hello", { idempotency_key: "k1" });
    });
    expect(kinds).toEqual([]);
  });
});

describe("what members have settled", () => {
  const plants: [string, (story: Plot) => Readonly<Record<string, unknown>>, FindingKind[]][] = [
    ["a floor above the end", () => ({ floor: 5 }), ["settled"]],
    ["positions below the floor", () => ({ floor: 2, above: [2] }), ["settled"]],
    ["positions above the end", () => ({ above: [5] }), ["settled"]],
    ["a cursor of another channel", ({ talk }) => ({ cursor: talk.say(C, "three") }), ["settled"]],
    [
      "a cursor that is for somebody else",
      ({ chat }) => ({ cursor: chat.say(B, "x", { audience: [] }) }),
      ["settled"],
    ],
    ["an end that is none", () => ({ settled: true }), ["settled"]],
  ];
  it.each(plants)("finds %s", async (_what, fields, expected) => {
    const story = plot();
    const settled = fields(story);
    story.maker.settled(C, story.chat.id, settled);
    expect(await kindsOf(story.maker.lines())).toEqual(expected);
  });

  it("takes it that nothing is outstanding for a member that has unregistered", async () => {
    const { maker } = plot();
    const room = maker.open("conversation", [A, "gone"]);
    maker.settled("gone", room.id, { settled: true });
    expect(await kindsOf(maker.lines())).toEqual([]);
  });

  it("finds a record of a stranger, and of a channel that is not there", async () => {
    const { maker, chat } = plot();
    maker.settled(A, chat.id);
    maker.settled(A, "elsewhere");
    expect(await kindsOf(maker.lines())).toEqual(["settled", "settled"]);
  });
});

describe("journals", () => {
  const KEY = "k9";
  function written() {
    const story = plot();
    const { maker, chat } = story;
    const first = chat.say(B, "first", { idempotency_key: KEY });
    const second = chat.say(C, "second", { causation_id: first });
    const secret = chat.say(B, "note", { audience: [] });
    const short = chat.say(B, "short", { ttl_seconds: 1 });
    return { lines: maker.lines(), ask: story.ask, chat, first, second, secret, short };
  }
  const { lines, ask, chat, first, second, secret, short } = written();
  const before = lines
    .map(
      (line) =>
        JSON.parse(line) as {
          envelope?: {
            channel_id: string;
            envelope_id: string;
            audience: string[] | null;
            event_type: string;
            sender_id: string;
          };
        },
    )
    .flatMap(({ envelope }) => envelope ?? [])
    .filter(
      ({ channel_id, audience, sender_id, event_type }) =>
        channel_id !== ask.id &&
        (audience?.includes(C) ?? sender_id !== C) &&
        !event_type.includes(".invite."),
    )
    .map(({ channel_id, envelope_id }) => ({
      kind: "delivered",
      recipient_id: C,
      channel_id,
      envelope_id,
    }));
  const posted = {
    kind: "posted",
    channel_id: chat.id,
    sender_id: B,
    envelope_id: first,
    position: 5,
    idempotency_key: KEY,
  };
  const delivered = {
    kind: "delivered",
    recipient_id: C,
    channel_id: chat.id,
    envelope_id: first,
    position: 5,
  };
  const turn = {
    kind: "turn",
    agent_id: C,
    channel_id: chat.id,
    trigger_id: first,
    envelope_id: second,
  };
  const gone = "f".repeat(32);

  it("finds nothing in a journal that fits, repeats and half a last line included", async () => {
    const silent = { ...turn, envelope_id: null };
    const caughtUp = { kind: "caught_up", recipient_id: C };
    const whole = before.filter(({ envelope_id }) => envelope_id !== short);
    expect(await kindsOf(lines, [posted, posted, turn, silent, delivered, delivered])).toEqual([]);
    expect(await kindsOf(lines, [...whole, ...whole, caughtUp])).toEqual([]);
    const half = { name: "half", text: `${JSON.stringify(posted)}\n{"kind":"del` };
    expect((await check("log", lines, [half])).findings).toEqual([]);
  });

  const plants: [string, object[], FindingKind[]][] = [
    ["a line that is none", [{ kind: "said" }], ["format"]],
    ["a post that is lost", [{ ...posted, envelope_id: gone }], ["lost"]],
    ["a post that stands elsewhere", [{ ...posted, position: 6 }], ["altered"]],
    ["a post of somebody else", [{ ...posted, sender_id: C }], ["altered"]],
    [
      "a post that became two",
      [posted, { ...posted, envelope_id: second, sender_id: B, position: 6 }],
      ["altered", "doubled"],
    ],
    ["a delivery of nothing", [{ ...delivered, envelope_id: gone }], ["phantom"]],
    ["a delivery at another position", [{ ...delivered, position: 4 }], ["phantom"]],
    [
      "a delivery to somebody who may not see it",
      [{ ...delivered, envelope_id: secret, position: 7 }],
      ["leak"],
    ],
    ["a delivery to its own sender", [{ ...delivered, recipient_id: B }], ["leak"]],
    ["a delivery to a stranger", [{ ...delivered, recipient_id: A }], ["leak"]],
    [
      "two deliveries in the wrong order",
      [{ ...delivered, envelope_id: short, position: 8 }, delivered],
      ["disorder"],
    ],
    [
      "a member that has not seen all",
      [
        ...before.filter(({ envelope_id }) => envelope_id !== first),
        { kind: "caught_up", recipient_id: C },
      ],
      ["missed"],
    ],
    ["a turn for nothing", [{ ...turn, trigger_id: gone }], ["taken"]],
    ["a turn for what its agent does not get", [{ ...turn, trigger_id: second }], ["taken"]],
    ["a turn with the answer to something else", [{ ...turn, envelope_id: short }], ["taken"]],
    ["a turn with two answers", [turn, { ...turn, envelope_id: short }], ["taken", "taken"]],
  ];
  it.each(plants)("finds %s", async (_what, journal, expected) => {
    expect(await kindsOf(lines, journal)).toEqual(expected);
  });

  it("excuses whoever chose not to get all", async () => {
    for (const rule of [
      { access: { inbound_from: ["a*"] } },
      { access: { inbound_from: ["*"] }, limits: { inbox: { overflow: "drop_oldest" } } },
    ]) {
      const maker = createLogMaker();
      maker.agent(A);
      maker.agent(B, {}, rule);
      maker.open("conversation", [A, B]).say(A, "unheard");
      expect(await kindsOf(maker.lines(), [{ kind: "caught_up", recipient_id: B }])).toEqual([]);
    }
  });
});

describe("the program", () => {
  const script = fileURLToPath(new URL("main.ts", import.meta.url));
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ["--import", "tsx", script, ...args], { encoding: "utf8" });

  it("ends with 0 for a sound log, 1 with findings, 2 when called wrongly", {
    timeout: 60_000,
  }, () => {
    using folder = makeTempFolder();
    const sound = folder.at("sound.jsonl");
    writeFileSync(sound, `${plot().maker.lines().join("\n")}\n`);
    const journal = folder.at("alice.jsonl");
    writeFileSync(journal, '{"kind":"caught_up","recipient_id":"nobody"}\n');
    const good = run(sound, journal);
    expect([good.status, good.stdout]).toEqual([
      0,
      "checked 3 channels, 15 envelopes, 1 journal lines: 0 findings\n",
    ]);
    const broken = folder.at("broken.jsonl");
    writeFileSync(broken, readFileSync(sound, "utf8").replace('"hello"', '"HELLO"'));
    const bad = run(broken);
    expect(bad.status).toBe(1);
    expect(bad.stdout).toMatch(/^broken\.jsonl:\d+: content: .+\n.*: 1 findings\n$/);
    expect(run().status).toBe(2);
    const missing = run(folder.at("none.jsonl"));
    expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining("ENOENT")]);
  });
});
