import { createDefaultAdapters } from "@colloquy/adapters";
import { AccessDeniedError, EV_TEXT, NotFoundError } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench, faulty, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { assembleHub } from "../open-hub.js";

async function openBench() {
  const store = faulty(createMemoryStore());
  const clock = createFakeClock();
  const { hub, context } = await assembleHub({
    store,
    clock,
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
  });
  return { hub, context, store, clock, ...createHubBench(hub) };
}

async function openRoom(type: string, names = ["a", "b"]) {
  const bench = await openBench();
  const ids = await Promise.all(names.map((name) => bench.join(name)));
  const [a = "", b = ""] = ids;
  const { channel_id: id } = await bench.open(type, a, ids.slice(1));
  return { ...bench, ids, a, b, id };
}

describe("pending turns", () => {
  it("N-173 one for the agent whose answer is missing, since its trigger", async () => {
    const { hub, say, clock, a, b, id } = await openRoom("discussion");
    const text = await say(id, a, "your turn");
    await clock.advanceAsync(5_000);
    expect(await hub.pendingTurnsFor(b)).toEqual([
      {
        channel_id: id,
        triggering_envelope_id: text.envelope_id,
        expected_at: text.created_at,
      },
    ]);
    expect(await hub.pendingTurnsFor(a)).toEqual([]);
  });

  it("N-174 none where there is no order of turns", async () => {
    const { hub, say, a, b, id } = await openRoom("conversation");
    await say(id, a, "hello");
    expect(await hub.pendingTurnsFor(a)).toEqual([]);
    expect(await hub.pendingTurnsFor(b)).toEqual([]);
  });

  it("N-175 one without a trigger for the first speaker of a fresh discussion", async () => {
    const { hub, a, id } = await openRoom("discussion");
    const [turn, ...others] = await hub.pendingTurnsFor(a);
    expect(others).toEqual([]);
    expect(turn).toMatchObject({ channel_id: id, triggering_envelope_id: null });
    expect(turn?.expected_at).not.toBe("");
  });

  it("over all active channels, and in no other", async () => {
    const bench = await openRoom("discussion");
    const { hub, open, a, b, id } = bench;
    const { channel_id: second } = await open("discussion", a, [b]);
    const { channel_id: closed } = await open("discussion", a, [b]);
    await hub.closeChannel(closed);
    const silent = await bench.join("silent", { invites: "silent" });
    const pending = open("discussion", a, [silent]);
    await settle();
    const turns = await hub.pendingTurnsFor(a);
    expect(turns.map(({ channel_id }) => channel_id)).toEqual([id, second]);
    expect(await hub.pendingTurnsFor("nobody")).toEqual([]);
    const closing = expect(pending).rejects.toThrow();
    await hub.close();
    await closing;
  });

  it("only what is durable counts", async () => {
    const { hub, store, say, a, b, id } = await openRoom("discussion");
    const gate = store.block("commit");
    const saying = say(id, a, "on its way");
    await settle();
    expect(await hub.pendingTurnsFor(b)).toEqual([]);
    gate.release();
    await saying;
    expect(await hub.pendingTurnsFor(b)).toHaveLength(1);
  });
});

describe("answers", () => {
  it("N-162 are found by channel, sender and cause", async () => {
    const { hub, say, a, id } = await openRoom("conversation");
    const posted = await say(id, a, "because", { causation_id: "K" });
    const found = await hub.findEnvelopeByCausation(id, a, "K");
    expect(found).toMatchObject({
      envelope_id: posted.envelope_id,
      sender_id: a,
      event_data: { text: "because" },
    });
  });

  it("N-163 are null for a cause that was never named, or named by another", async () => {
    const { hub, say, a, b, id } = await openRoom("conversation");
    await say(id, a, "just so");
    expect(await hub.findEnvelopeByCausation(id, a, "K")).toBeNull();
    await say(id, a, "because", { causation_id: "K" });
    expect(await hub.findEnvelopeByCausation(id, b, "K")).toBeNull();
    await expect(hub.findEnvelopeByCausation("none", a, "K")).rejects.toThrow(NotFoundError);
  });
});

describe("canSend", () => {
  it("asks the channel's contract with a probe of the type", async () => {
    const { hub, a, b, id } = await openRoom("discussion");
    expect(await hub.canSend(id, a)).toBe(true);
    expect(await hub.canSend(id, b)).toBe(false);
    expect(await hub.canSend(id, b, "app.note")).toBe(true);
    expect(await hub.canSend(id, a, null)).toBe(true);
  });

  it("is false for an unknown channel, an ended one and an outsider", async () => {
    const { hub, join, a, id } = await openRoom("conversation");
    const outsider = await join("outsider");
    expect(await hub.canSend("none", a)).toBe(false);
    expect(await hub.canSend(id, outsider)).toBe(false);
    await hub.closeChannel(id);
    expect(await hub.canSend(id, a, EV_TEXT)).toBe(false);
  });
});

describe("prepareTurn", () => {
  it("gives metadata, state, the slice before the trigger, names, and whether it may be answered", async () => {
    const { hub, say, a, b, id } = await openRoom("discussion");
    await say(id, a, "one");
    await say(id, b, "two");
    const trigger = await say(id, a, "three");
    const turn = await hub.prepareTurn({
      channel_id: id,
      agent_id: b,
      envelope_id: trigger.envelope_id,
      last: 1,
    });
    expect(turn.metadata.channel_id).toBe(id);
    expect(turn.state).toMatchObject({ expected_next_speaker: b, turn_count: 3 });
    expect(turn.position).toBe(trigger.position);
    expect(turn.answered).toBeNull();
    expect(turn.can_send).toBe(true);
    expect(turn.slice.envelopes.map(({ event_data }) => event_data["text"])).toEqual(["two"]);
    expect(turn.slice.left_out).toEqual({ count: 1, senders: [a] });
    expect(turn.names).toEqual({ [a]: "a", [b]: "b" });
  });

  it("tells of an answer that is there", async () => {
    const { hub, say, a, b, id } = await openRoom("discussion");
    const trigger = await say(id, a, "?");
    const input = { channel_id: id, agent_id: b, envelope_id: trigger.envelope_id, last: null };
    const answer = await say(id, b, "!", { causation_id: trigger.envelope_id });
    expect(await hub.prepareTurn(input)).toMatchObject({
      answered: answer.envelope_id,
      can_send: false,
    });
  });

  it("is for participants only, and for envelopes that they may see", async () => {
    const { hub, join, say, a, b, ids, id } = await openRoom("discussion", ["a", "b", "c"]);
    const outsider = await join("outsider");
    const [, , c = ""] = ids;
    const secret = await say(id, a, "for b", { audience: [b] });
    const input = { channel_id: id, envelope_id: secret.envelope_id, last: null };
    await expect(hub.prepareTurn({ ...input, agent_id: outsider })).rejects.toThrow(
      AccessDeniedError,
    );
    await expect(hub.prepareTurn({ ...input, agent_id: c })).rejects.toThrow(NotFoundError);
    const unknown = { ...input, agent_id: b, envelope_id: "none" };
    await expect(hub.prepareTurn(unknown)).rejects.toThrow(NotFoundError);
    expect((await hub.prepareTurn({ ...input, agent_id: b })).position).toBe(secret.position);
  });

  it("says whether the turn may be answered by the state that it gives, not by what is staged", async () => {
    const { hub, store, say, a, b, ids, id } = await openRoom("discussion", ["a", "b", "c"]);
    const [, , c = ""] = ids;
    const { envelope_id } = await say(id, a, "to all");
    const gate = store.block("commit");
    const saying = say(id, b, "on its way", { causation_id: envelope_id });
    await settle();
    const early = await hub.prepareTurn({ channel_id: id, agent_id: c, envelope_id, last: null });
    expect(early.state).toMatchObject({ expected_next_speaker: b });
    expect(early.can_send).toBe(false);
    expect(await hub.canSend(id, c)).toBe(false);
    gate.release();
    await saying;
    expect(await hub.canSend(id, c)).toBe(true);
  });

  it("reads a window, however long the channel is", async () => {
    const { hub, store, say, a, b, id } = await openRoom("conversation");
    const posting = Array.from({ length: 300 }, (_, index) => say(id, a, `${index}`));
    const trigger = (await Promise.all(posting)).at(-1);
    const reads = store.calls("readWal");
    await hub.prepareTurn({
      channel_id: id,
      agent_id: b,
      envelope_id: trigger?.envelope_id ?? "",
      last: 20,
    });
    expect(store.calls("readWal") - reads).toBeLessThanOrEqual(2);
  });
});

describe("a failed turn", () => {
  it("is told to listeners and stands in the audit log", async () => {
    const { hub, say, a, b, id } = await openRoom("discussion");
    const heard: unknown[] = [];
    hub.addListener({ onTurnFailed: (failure) => void heard.push(failure) });
    const { envelope_id } = await say(id, a, "?");
    const failure = { channel_id: id, agent_id: b, envelope_id, error: "model overloaded" };
    await hub.reportTurnFailure(failure);
    expect(heard).toEqual([failure]);
    const kinds = (await hub.audit.readAll()).map(({ kind }) => kind);
    expect(kinds).toContain("turn_failed");
    await expect(hub.reportTurnFailure({ ...failure, agent_id: "stranger" })).rejects.toThrow(
      AccessDeniedError,
    );
  });

  it("of an envelope that is not in the channel is refused and leaves no record", async () => {
    const { hub, open, say, a, b, id } = await openRoom("discussion");
    const other = await open("discussion", a, [b]);
    const { envelope_id } = await say(other.channel_id, a, "?");
    const failure = { channel_id: id, agent_id: b, error: "" };
    for (const unknown of [envelope_id, "", "x".repeat(300_000)]) {
      const reporting = hub.reportTurnFailure({ ...failure, envelope_id: unknown });
      await expect(reporting).rejects.toMatchObject({ code: "not_found" });
    }
    const kinds = (await hub.audit.readAll()).map(({ kind }) => kind);
    expect(kinds).not.toContain("turn_failed");
  });
});
