import { createEnvelope, type Envelope, EV_CHANNEL_OPENED, EV_TEXT } from "@colloquy/protocol";
import { arbitraryWal, renderViewWal, VIEW_SPEAKERS } from "@colloquy/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNamedTranscript } from "../views/named-transcript.js";
import { sliceWal } from "./slice-wal.js";

const said = (id: string, sender: string, text: string, audience: string[] | null = null) =>
  createEnvelope({
    envelope_id: id,
    channel_id: "ch",
    sender_id: sender,
    audience,
    event_type: EV_TEXT,
    event_data: { text },
  });
const opened = { ...said("e2", "A", ""), event_type: EV_CHANNEL_OPENED };
const wal: readonly Envelope[] = [
  said("e1", "A", "one"),
  opened,
  said("e3", "C", "for A only", ["A"]),
  said("e4", "C", "  "),
  said("e5", "C", "two"),
  said("e6", "A", "three"),
  said("e7", "B", "four"),
];
const options = { participantId: "B", render: renderViewWal };
const ids = (envelopes: readonly Envelope[]) => envelopes.map((e) => e.envelope_id);

describe("sliceWal", () => {
  it("gives a view that needs all every visible envelope, shown or not", () => {
    const slice = sliceWal(wal, { ...options, needs: "all" });
    expect(ids(slice.envelopes)).toEqual(["e1", "e2", "e4", "e5", "e6", "e7"]);
    expect(slice.left_out).toEqual({ count: 0, senders: [] });
  });

  it("gives a window the newest shown envelopes and counts those before", () => {
    const slice = sliceWal(wal, { ...options, needs: { last: 2 } });
    expect(ids(slice.envelopes)).toEqual(["e6", "e7"]);
    expect(slice.left_out).toEqual({ count: 2, senders: ["A", "C"] });
  });

  it("leaves nothing out when the window is wide enough, and all when it is nought", () => {
    const wide = sliceWal(wal, { ...options, needs: { last: 9 } });
    expect(ids(wide.envelopes)).toEqual(["e1", "e5", "e6", "e7"]);
    expect(wide.left_out).toEqual({ count: 0, senders: [] });
    const none = sliceWal(wal, { ...options, needs: { last: 0 } });
    expect(none).toEqual({ envelopes: [], left_out: { count: 4, senders: ["A", "C", "B"] } });
  });

  it("cuts strictly before the named envelope", () => {
    const slice = sliceWal(wal, { ...options, needs: { last: 1 }, before: "e6" });
    expect(ids(slice.envelopes)).toEqual(["e5"]);
    expect(slice.left_out).toEqual({ count: 1, senders: ["A"] });
    expect(sliceWal(wal, { ...options, needs: "all", before: "e1" }).envelopes).toEqual([]);
  });

  it("refuses to cut before an envelope that is not there", () => {
    expect(() => sliceWal(wal, { ...options, needs: "all", before: "e9" })).toThrow(/"e9".*WAL/);
  });

  it("neither loses nor repeats an envelope at any cut", () => {
    const view = createNamedTranscript();
    fc.assert(
      fc.property(arbitraryWal(), fc.integer({ min: 0, max: 20 }), (envelopes, last) => {
        const me = { participantId: VIEW_SPEAKERS[1], render: renderViewWal };
        const all = view.project(sliceWal(envelopes, { ...me, needs: "all" }), {
          ...me,
          channel: undefined as never,
          nameFor: (id) => id,
        });
        const slice = sliceWal(envelopes, { ...me, needs: { last } });
        expect(slice.envelopes.length + slice.left_out.count).toBe(all.length);
        expect(slice.envelopes.length).toBe(Math.min(last, all.length));
      }),
    );
  });
});
