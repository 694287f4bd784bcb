import { createConversationAdapter } from "@colloquy/adapters";
import {
  createEnvelope,
  type Envelope,
  EV_TEXT,
  type StoredEnvelope,
  type WalPage,
  type WalRange,
} from "@colloquy/protocol";
import { fakeChannel } from "@colloquy/testkit";
import { sliceWal } from "@colloquy/views";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { newLiveChannel } from "../live/new-live-channel.js";
import { rendersSomething } from "../live/renders-something.js";
import { readWindow } from "./wal-window.js";

const SPEAKERS = ["a", "b", "c"];
const speaker = fc.constantFrom(...SPEAKERS);
const envelope = fc.record({
  sender_id: speaker,
  audience: fc.option(fc.uniqueArray(speaker, { maxLength: 3 })),
  event_type: fc.constantFrom(EV_TEXT, EV_TEXT, EV_TEXT, "app.note"),
  event_data: fc.record({ text: fc.constantFrom("words", "more words", "", " ") }),
});
const wals = fc.array(envelope, { minLength: 1, maxLength: 120 });

/** A store of one channel, whose pages are short. */
function readOnly(wal: readonly Envelope[], maxPage: number) {
  const all = wal.map((one, index) => ({ position: index + 1, body: JSON.stringify(one) }));
  return {
    async readWal(_id: string, range: WalRange = {}): Promise<WalPage> {
      const inside = all.filter(
        ({ position }) =>
          position > (range.after ?? 0) && position <= (range.upTo ?? Number.POSITIVE_INFINITY),
      );
      const part = range.last === undefined ? inside : inside.slice(-range.last);
      const page = part.slice(0, maxPage);
      const next = page.length < part.length ? (page.at(-1)?.position ?? null) : null;
      return { envelopes: page as unknown as StoredEnvelope[], next, head: all.length };
    },
  };
}

it("cuts the slice that the views' own cut gives, and counts the same left out", async () => {
  const adapter = createConversationAdapter();
  const metadata = fakeChannel(adapter.manifest, SPEAKERS);
  const property = fc.asyncProperty(
    wals,
    fc.nat(),
    fc.option(fc.nat(30)),
    speaker,
    async (drafts, seed, last, participantId) => {
      const wal = drafts.map((draft, index) => ({
        ...createEnvelope({ channel_id: metadata.channel_id, ...draft }),
        envelope_id: `${index}`,
      }));
      const live = newLiveChannel({ metadata, adapter, state: null });
      for (const one of wal) if (rendersSomething(live, one)) live.tally.add(one);
      live.committed = wal.length;
      const before = 1 + (seed % (wal.length + 1));
      const slice = await readWindow(readOnly(wal, 1_000), live, { participantId, before, last });
      const expected = sliceWal(wal.slice(0, before - 1), {
        participantId,
        render: adapter.renderEnvelope,
        needs: last === null ? "all" : { last },
      });
      expect(slice.envelopes).toEqual(expected.envelopes);
      expect(slice.left_out.count).toBe(expected.left_out.count);
      expect([...slice.left_out.senders].sort()).toEqual([...expected.left_out.senders].sort());
    },
  );
  await fc.assert(property);
});
