import {
  type Envelope,
  type Message,
  messageSchema,
  partShowsSomething,
  showsSomething,
  type ViewContext,
  type ViewPolicy,
} from "@colloquy/protocol";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { deepFreeze } from "./deep-freeze.js";
import { referenceSlice } from "./view/reference-slice.js";
import {
  arbitraryWal,
  renderViewWal,
  VIEW_SPEAKERS,
  viewChannel,
  wordOf,
} from "./view/view-wal.js";

/** Options of {@link runViewConformance}. */
export interface ViewConformanceOptions {
  /** Arbitrary WALs per rule; default 100. */
  readonly runs?: number;
}

/**
 * Defines the tests that every view passes.
 *
 * - V1: the same slice gives the same messages, whatever the clock and the dice say, and every call
 *   gives fresh ones.
 * - V2: slice and context stay as they are.
 * - V3: nothing of an envelope that the participant may not see shows, even if it is in the slice.
 * - V4: messages have the right shape, and none of them or of their parts is blank.
 * - V5: own lines are the assistant's, others' never; each envelope shows at most once; an envelope
 *   that renders to nothing does not show.
 * - V6: messages survive JSON.
 * - V7: the slice that `needs` asks for gives the same as a longer one and as the whole WAL.
 *
 * @param name - what is proven, for the test report
 * @param makeView - a new view for each test
 */
export function runViewConformance(
  name: string,
  makeView: () => ViewPolicy,
  { runs = 100 }: ViewConformanceOptions = {},
): void {
  const forAllWals = (check: (wal: Envelope[], me: string) => void): void =>
    fc.assert(fc.property(arbitraryWal(), fc.constantFrom(...VIEW_SPEAKERS), check), {
      numRuns: runs,
    });
  const project = (wal: readonly Envelope[], me: string): Message[] => {
    const view = makeView();
    return view.project(referenceSlice(wal, me, view.needs), contextFor(me));
  };

  describe(`view conformance: ${name}`, () => {
    afterEach(() => {
      vi.restoreAllMocks();
    });

    it("declares a name and what it needs", () => {
      const { name: viewName, needs } = makeView();
      expect(viewName).not.toBe("");
      if (needs !== "all") expect(Number.isSafeInteger(needs.last) && needs.last >= 0).toBe(true);
    });

    it("V1: projects the same slice to the same, fresh messages", () => {
      forAllWals((wal, me) => {
        const view = makeView();
        const slice = referenceSlice(wal, me, view.needs);
        const first = view.project(slice, contextFor(me));
        const kept = structuredClone(first);
        for (const message of first) spoil(message);
        expect(view.project(slice, contextFor(me))).toStrictEqual(kept);
        expect(makeView().project(slice, contextFor(me))).toStrictEqual(kept);
      });
    });

    it("V1: asks neither the clock nor the dice", () => {
      const wals = fc.sample(arbitraryWal(), { numRuns: 20, seed: 1 });
      const deny = (what: string) => () => {
        throw new Error(`a view is pure and may not use ${what}`);
      };
      vi.spyOn(Date, "now").mockImplementation(deny("Date.now"));
      vi.spyOn(performance, "now").mockImplementation(deny("performance.now"));
      vi.spyOn(Math, "random").mockImplementation(deny("Math.random"));
      const projected = wals.map((wal) => project(wal, VIEW_SPEAKERS[0]));
      vi.restoreAllMocks();
      expect(projected).toHaveLength(wals.length);
    });

    it("V2: leaves slice and context as they are", () => {
      forAllWals((wal, me) => {
        const view = makeView();
        const slice = deepFreeze(referenceSlice(wal, me, view.needs));
        const before = JSON.stringify(slice);
        view.project(slice, deepFreeze(contextFor(me)));
        expect(JSON.stringify(slice)).toBe(before);
      });
    });

    it("F-042 V3: shows nothing of an envelope that the participant may not see", () => {
      forAllWals((wal, me) => {
        const careless = { envelopes: wal, left_out: { count: 0, senders: [] } };
        for (const messages of [project(wal, me), makeView().project(careless, contextFor(me))]) {
          const shown = JSON.stringify(messages);
          const hidden = wal.flatMap((e, at) => (maySee(e, me) ? [] : [wordOf(at)]));
          expect(hidden.filter((word) => shown.includes(word))).toEqual([]);
        }
      });
    });

    it("F-038 V4: gives messages of the right shape with nothing blank in them", () => {
      forAllWals((wal, me) => {
        for (const message of project(wal, me)) {
          expect(messageSchema.parse(message)).toStrictEqual(message);
          expect(showsSomething(message.content)).toBe(true);
          if (typeof message.content === "string") continue;
          expect(message.content?.every(partShowsSomething)).toBe(true);
        }
      });
    });

    it("F-039 F-040 V5: shows each envelope at most once, in the right role, and no bookkeeping", () => {
      forAllWals((wal, me) => {
        const messages = project(wal, me);
        for (const [at, envelope] of wal.entries()) {
          const holders = messages.filter((m) => JSON.stringify(m).includes(wordOf(at)));
          const times = JSON.stringify(messages).split(wordOf(at)).length - 1;
          expect(times).toBeLessThanOrEqual(1);
          if (renderViewWal(envelope) === null) expect(times).toBe(0);
          const own = envelope.sender_id === me;
          const wrong = own ? "user" : "assistant";
          expect(holders.map(({ role }) => role)).not.toContain(wrong);
        }
      });
    });

    it("V6: gives messages that survive JSON", () => {
      forAllWals((wal, me) => {
        const messages = project(wal, me);
        expect(JSON.parse(JSON.stringify(messages))).toStrictEqual(messages);
      });
    });

    it("V7: needs no more than it says", () => {
      forAllWals((wal, me) => {
        const view = makeView();
        const { needs } = view;
        const fromNeeds = project(wal, me);
        const whole = referenceSlice(wal, me, "all");
        expect(view.project(whole, contextFor(me))).toStrictEqual(fromNeeds);
        if (needs === "all") return;
        const longer = referenceSlice(wal, me, { last: needs.last + 3 });
        expect(view.project(longer, contextFor(me))).toStrictEqual(fromNeeds);
      });
    });
  });
}

function contextFor(participantId: string): ViewContext {
  return {
    participantId,
    channel: structuredClone(viewChannel),
    render: renderViewWal,
    nameFor: (id) => id.replace("agent-", "Agent "),
  };
}

/** Written out here, so that a fault in the shared rule shows. */
function maySee({ sender_id, audience }: Envelope, me: string): boolean {
  return sender_id === me || audience === null || audience.includes(me);
}

/** Changes a message in place, as a careless caller might. */
function spoil(message: Message): void {
  if (Array.isArray(message.content)) {
    for (const part of message.content) Object.assign(part, { type: "text", text: "spoilt" });
    message.content.length = 0;
  }
  message.content = "spoilt";
}
