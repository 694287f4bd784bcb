import {
  type DeltaFrame,
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_PARTICIPANT_REMOVED,
  EV_TEXT,
  EV_TURN_REASSIGNED,
} from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { createEntryLog } from "./entry-log.js";

const piece = (sequence: number, text: string, more: Partial<DeltaFrame> = {}): DeltaFrame => ({
  ...{ kind: "delta", channel_id: "c", sender_id: "ada", turn_id: "t", attempt: 1 },
  ...{ sequence, text, ...more },
});

function shown(id: string, text: string, more: Partial<Envelope> = {}) {
  const envelope = {
    ...{ envelope_id: id, channel_id: "c", sender_id: "ada", causation_id: null },
    ...{ event_type: EV_TEXT, event_data: { text }, audience: null, ...more },
  } as Envelope;
  return { envelope, position: Number(id), text };
}

const brief = (log: ReturnType<typeof createEntryLog>) =>
  log.entries.map(({ id, state, text, hasGaps }) => `${id} ${state} ${text}${hasGaps ? " …" : ""}`);

describe("the entries of a channel", () => {
  it("grow and end as one, under the same id", () => {
    const log = createEntryLog(10);
    log.takeEnvelope(shown("1", "question", { sender_id: "hugo" }));
    log.takeDelta(piece(0, "he"));
    const [grown] = log.takeDelta(piece(1, "llo"));
    expect(grown).toMatchObject({ id: "ada:t", state: "growing", text: "hello", turnId: "t" });
    expect(brief(log)).toEqual(["1 complete question", "ada:t growing hello"]);
    const [whole] = log.takeEnvelope(shown("2", "Hello.", { causation_id: "t" }));
    expect(whole).toMatchObject({ id: "ada:t", position: 2, envelope: { envelope_id: "2" } });
    expect(brief(log)).toEqual(["1 complete question", "ada:t complete Hello."]);
    expect(log.takeDelta(piece(2, " late"))).toEqual([]);
    expect(brief(log)).toEqual(["1 complete question", "ada:t complete Hello."]);
  });

  it("show gaps until the envelope heals them", () => {
    const log = createEntryLog(10);
    for (const delta of [piece(2, "c"), piece(3, "d"), piece(3, "d"), piece(1, "b"), piece(5, "f")])
      log.takeDelta(delta);
    expect(brief(log)).toEqual(["ada:t growing cdf …"]);
    log.takeEnvelope(shown("1", "abcdef", { causation_id: "t" }));
    expect(brief(log)).toEqual(["ada:t complete abcdef"]);
  });

  it("begin anew with a new run, and pieces of the earlier one are late", () => {
    const log = createEntryLog(10);
    log.takeDelta(piece(0, "first"));
    log.takeDelta(piece(1, "second", { attempt: 2 }));
    log.takeDelta(piece(1, " late"));
    expect(brief(log)).toEqual(["ada:t growing second …"]);
    log.takeDelta(piece(0, "anew", { attempt: 2 }));
    expect(brief(log)).toEqual(["ada:t growing anew"]);
    log.takeDelta(piece(0, "old"));
    expect(brief(log)).toEqual(["ada:t growing anew"]);
  });

  it.each(["silent", "failed"] as const)("break off when the turn has ended %s", (ended) => {
    const log = createEntryLog(10);
    expect(log.takeDelta(piece(0, "", { ended }))).toEqual([]);
    log.takeDelta(piece(0, "he"));
    expect(log.takeDelta(piece(1, "", { ended }))).toMatchObject([
      { state: "broken", reason: ended, text: "he" },
    ]);
    log.takeDelta(piece(2, "late"));
    log.takeEnvelope(shown("1", "next", { sender_id: "hugo" }));
    expect(brief(log)).toEqual(["ada:t broken he", "1 complete next"]);
    log.takeDelta(piece(0, "again", { attempt: 2 }));
    expect(brief(log)).toEqual(["1 complete next", "ada:t growing again"]);
  });

  it("break off with the end of the turn, of its writer or of the channel, and no other's", () => {
    const ends: [Partial<Envelope>, string][] = [
      [{ event_type: EV_CHANNEL_CLOSED }, "ended"],
      [{ event_type: EV_TURN_REASSIGNED, event_data: { from: "ada", to: "bob" } }, "reassigned"],
      [{ event_type: EV_PARTICIPANT_REMOVED, event_data: { agent_id: "ada" } }, "left"],
    ];
    for (const [more, reason] of ends) {
      const log = createEntryLog(10);
      log.takeDelta(piece(0, "hm", { sender_id: "bob" }));
      log.takeDelta(piece(0, "he"));
      const changed = log.takeEnvelope(shown("1", "", { sender_id: "hub", ...more }));
      expect(changed.filter(({ state }) => state === "broken")).toMatchObject(
        reason === "ended"
          ? [
              { senderId: "bob", reason },
              { senderId: "ada", reason },
            ]
          : [{ reason }],
      );
      expect(log.takeDelta(piece(1, "llo"))).toEqual([]);
    }
  });

  it("break off when the writer begins another answer", () => {
    const log = createEntryLog(10);
    log.takeDelta(piece(0, "he"));
    log.takeDelta(piece(0, "no", { turn_id: "u" }));
    log.takeDelta(piece(0, "hm", { sender_id: "bob" }));
    expect(log.entries).toMatchObject([
      { id: "ada:t", state: "broken", reason: "superseded" },
      { id: "ada:u", state: "growing" },
      { id: "bob:t", state: "growing" },
    ]);
  });

  it("go on after silence, without a gap, and where they belong once complete", () => {
    const log = createEntryLog(10);
    log.takeDelta(piece(0, "he"));
    log.breakOff("ada:t", "quiet");
    log.takeEnvelope(shown("1", "hello?", { sender_id: "hugo" }));
    expect(brief(log)).toEqual(["ada:t broken he", "1 complete hello?"]);
    log.takeDelta(piece(1, "llo"));
    expect(brief(log)).toEqual(["1 complete hello?", "ada:t growing hello"]);
    log.breakOff("ada:t", "quiet");
    log.takeEnvelope(shown("2", "Hello.", { causation_id: "t" }));
    expect(brief(log)).toEqual(["1 complete hello?", "ada:t complete Hello."]);
    expect(log.breakOff("ada:t", "quiet")).toEqual([]);
  });

  it("are bounded: the oldest that has ended is left out, and long texts are cut", () => {
    const log = createEntryLog(2);
    for (const id of ["1", "2", "3"]) log.takeEnvelope(shown(id, id));
    log.takeDelta(piece(0, "x".repeat(1_000_001)));
    expect(log.entries.map(({ id }) => id)).toEqual(["2", "3", "ada:t"]);
    expect(log.entries[2]).toMatchObject({ hasGaps: true });
    expect(log.entries[2]?.text).toHaveLength(1_000_000);
    expect(log.dropped).toBe(1);
  });
});
