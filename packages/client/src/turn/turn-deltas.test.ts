import type { DeltaFrame, Envelope } from "@colloquy/protocol";
import { createFakeClock } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createTurnDeltas } from "./turn-deltas.js";

const trigger = {
  envelope_id: "e",
  channel_id: "c",
  sender_id: "hugo",
  audience: null,
} as unknown as Envelope;

function start(deltaIntervalMs = 50, from: Envelope = trigger, attempt = 1) {
  const clock = createFakeClock();
  const sent: DeltaFrame[] = [];
  const host = {
    ...{ clock, deltaIntervalMs, client: { agentId: "ada" } },
    sendDelta: (frame: DeltaFrame) => void sent.push(frame),
  };
  const deltas = createTurnDeltas(host, from, attempt);
  return { clock, sent, deltas, texts: () => sent.map(({ text }) => text) };
}

describe("the pieces of a turn", () => {
  it("leave at once at first, and then together after each interval", () => {
    const { clock, sent, deltas, texts } = start();
    for (const text of ["a", "b", "c"]) deltas.push(text);
    expect(texts()).toEqual(["a"]);
    clock.advance(49);
    expect(texts()).toEqual(["a"]);
    clock.advance(1);
    deltas.push("d");
    clock.advance(50);
    expect(texts()).toEqual(["a", "bc", "d"]);
    expect(sent[1]).toEqual({
      ...{ kind: "delta", channel_id: "c", sender_id: "ada", turn_id: "e", attempt: 1 },
      ...{ sequence: 1, text: "bc" },
    });
    clock.advance(60_000);
    deltas.push("e");
    expect(texts()).toEqual(["a", "bc", "d", "e"]);
  });

  it("leave when they are long, in pieces of 4,096 characters", () => {
    const { sent, deltas } = start();
    deltas.push("x");
    deltas.push("y".repeat(4_095));
    expect(sent).toHaveLength(1);
    deltas.push("z".repeat(4_098));
    expect(sent.map(({ text }) => text.length)).toEqual([1, 4_096, 4_096, 1]);
    expect(sent.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3]);
  });

  it("leave one by one with an interval of 0", () => {
    const { deltas, texts } = start(0);
    for (const text of ["a", "", "b"]) deltas.push(text);
    expect(texts()).toEqual(["a", "b"]);
  });

  it("are all sent before an answer, and nothing after it", () => {
    const { clock, deltas, texts } = start();
    for (const text of ["a", "b"]) deltas.push(text);
    deltas.finish();
    deltas.push("late");
    deltas.end("answered");
    clock.advance(60_000);
    expect(texts()).toEqual(["a", "b"]);
  });

  it.each(["silent", "failed"] as const)("tell readers that the turn has ended %s", (how) => {
    const { clock, sent, deltas } = start(50, trigger, 2);
    for (const text of ["a", "unsent"]) deltas.push(text);
    deltas.end(how);
    deltas.end("failed");
    clock.advance(60_000);
    expect(sent).toMatchObject([
      { sequence: 0, text: "a", attempt: 2 },
      { sequence: 1, text: "", ended: how, attempt: 2 },
    ]);
  });

  it("of a turn that has shown nothing tell nothing of its end", () => {
    const { sent, deltas } = start();
    deltas.end("failed");
    expect(sent).toEqual([]);
  });

  it("are for those who may see the envelope that is answered", () => {
    const { sent, deltas } = start(50, { ...trigger, audience: ["ada", "bob"] });
    deltas.push("a");
    expect(sent[0]?.audience).toEqual(["hugo", "ada", "bob"]);
    expect(start().sent).toEqual([]);
  });
});
