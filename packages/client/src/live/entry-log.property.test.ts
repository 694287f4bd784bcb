import { type DeltaFrame, type Envelope, EV_TEXT } from "@colloquy/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createEntryLog } from "./entry-log.js";

const WRITERS = ["ada", "bob"];
const TURNS = ["1", "2", "3"];

type Step =
  | { readonly kind: "piece"; readonly delta: DeltaFrame }
  | { readonly kind: "answer"; readonly sender: string; readonly turn: string }
  | { readonly kind: "quiet"; readonly id: string };

const writer = fc.constantFrom(...WRITERS);
const turn = fc.constantFrom(...TURNS);
const here = { kind: "delta", channel_id: "c" } as const;
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({
      sender_id: writer,
      turn_id: turn,
      attempt: fc.integer({ min: 1, max: 2 }),
      sequence: fc.nat(4),
      text: fc.string({ maxLength: 3 }),
      ended: fc.option(fc.constantFrom("silent" as const, "failed" as const), { nil: undefined }),
    })
    .map((delta) => ({
      kind: "piece" as const,
      delta: { ...here, ...delta },
    })),
  fc.record({ kind: fc.constant("answer" as const), sender: writer, turn }),
  fc.record({
    kind: fc.constant("quiet" as const),
    id: fc.tuple(writer, turn).map(([sender, id]) => `${sender}:${id}`),
  }),
);

it("shows each envelope once and in order, one growing answer per writer, and no id twice", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const log = createEntryLog(1_000);
      const posted: string[] = [];
      const answered = new Set<string>();
      for (const next of steps) {
        if (next.kind === "piece") log.takeDelta(next.delta);
        else if (next.kind === "quiet") log.breakOff(next.id, "quiet");
        else {
          const envelope = {
            ...{ envelope_id: String(posted.length), channel_id: "c", event_type: EV_TEXT },
            ...{ sender_id: next.sender, causation_id: next.turn, event_data: {}, audience: null },
          } as unknown as Envelope;
          posted.push(envelope.envelope_id);
          answered.add(`${next.sender}:${next.turn}`);
          log.takeEnvelope({ envelope, position: posted.length, text: "" });
        }
        const { entries } = log;
        const complete = entries.flatMap(({ envelope }) => envelope?.envelope_id ?? []);
        expect(complete).toEqual(posted);
        expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
        const growing = entries.filter(({ state }) => state === "growing");
        expect(new Set(growing.map(({ senderId }) => senderId)).size).toBe(growing.length);
        expect(growing.filter(({ id }) => answered.has(id))).toEqual([]);
        expect(entries.slice(-growing.length || entries.length)).toEqual(growing);
        for (const { state, envelope, reason } of entries) {
          expect(state === "complete").toBe(envelope !== null);
          expect(state === "broken").toBe(reason !== null);
        }
      }
    }),
  );
});

it("an unbroken run of pieces is its text", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (texts) => {
      const log = createEntryLog(10);
      texts.forEach((text, sequence) => {
        const shared = { kind: "delta" as const, channel_id: "c", sender_id: "ada", turn_id: "1" };
        log.takeDelta({ ...shared, sequence, text });
      });
      expect(log.entries).toMatchObject(
        texts.length === 0 ? [] : [{ text: texts.join(""), hasGaps: false }],
      );
    }),
  );
});
