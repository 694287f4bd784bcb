import { type ChannelMetadata, isTerminalState, StoreError } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { batchOf, createChainMaker } from "../../fakes/stored-chain.js";
import { collect, dumpStore } from "./dump-store.js";
import type { WithStore } from "./store-subject.js";

/** R5: what `recover` gives back. */
export function describeRecovery(withStore: WithStore): void {
  describe("recover", () => {
    it(
      "an empty store is empty",
      withStore(async (store) => {
        const { channels, ...rest } = await store.recover();
        expect(rest).toEqual({
          last_row: 0,
          last_envelope_id: "",
          records: [],
          deliveries: [],
          repairs: [],
        });
        expect(await collect(channels)).toEqual([]);
      }),
    );

    it(
      "R5: gives every channel that is not closed, with its whole tail, and no other",
      withStore(async (store, subject) => {
        const make = createChainMaker();
        const states = ["active", "pending", "closed", "closing", "expired", "active"] as const;
        const channels = states.map((state) => make.channel({ state }));
        await store.commit(
          batchOf({
            channels,
            envelopes: channels.slice(0, -1).flatMap((c) => make.take(c.channel_id, 3)),
          }),
        );
        const again = await subject.crash();
        const open = channels.filter((channel) => !isTerminalState(channel.state));
        const recovered = await collect((await again.recover()).channels);
        const log = await again.readLog(0);
        expect(recovered).toEqual(
          open.map((channel) => ({
            channel,
            head: make.head(channel.channel_id),
            snapshot: null,
            tail: log.filter((envelope) => envelope.channel_id === channel.channel_id),
          })),
        );
      }),
    );

    it(
      "R5: gives the newest row and id, and the records that a hub keeps in memory",
      withStore(async (store, subject) => {
        const make = createChainMaker();
        const channel = make.channel();
        const envelopes = make.take(channel.channel_id, 4);
        const kinds = [
          "agent",
          "resume",
          "rule",
          "skill",
          "task",
          "checkpoint",
          "key",
          "meta",
        ] as const;
        const records = kinds.map((kind) => ({ kind, id: "one", value: `"${kind}"` }));
        await store.commit(batchOf({ channels: [channel], envelopes, records }));
        await store.close();
        const recovery = await (await subject.reopen()).recover();
        expect(recovery.last_row).toBe(4);
        expect(recovery.last_envelope_id).toBe(envelopes[3]?.envelope_id);
        const inMemory = records.filter(({ kind }) => kind !== "skill" && kind !== "checkpoint");
        expect(recovery.records).toHaveLength(inMemory.length);
        expect(recovery.records).toEqual(expect.arrayContaining(inMemory));
      }),
    );

    it(
      "a channel that was closed, reopened or written many times is recovered by its newest state",
      withStore(async (store, subject) => {
        const make = createChainMaker();
        const [one, two] = [make.channel(), make.channel()];
        const states: ChannelMetadata[] = [
          { ...one, state: "closed" },
          { ...two, state: "closing" },
          { ...two, state: "active" },
        ];
        await store.commit(batchOf({ channels: [one, two] }));
        for (const channel of states) {
          const envelopes = make.take(channel.channel_id, 1);
          await store.commit(batchOf({ channels: [channel], envelopes }));
        }
        const again = await subject.crash();
        const { recovered } = await dumpStore(again);
        expect(recovered).toMatchObject([{ channel: two, head: make.head(two.channel_id) }]);
        expect(await again.readHead(one.channel_id)).toEqual(make.head(one.channel_id));
        expect((await again.readWal(one.channel_id, { last: 1 })).envelopes).toHaveLength(1);
      }),
    );

    it(
      "R5: two recoveries in a row are equal, and work goes on after them",
      withStore(async (store, subject) => {
        const make = createChainMaker();
        const channel = make.channel();
        await store.commit(
          batchOf({ channels: [channel], envelopes: make.take(channel.channel_id, 70) }),
        );
        await store.close();
        const again = await subject.reopen();
        const first = await dumpStore(again);
        expect(await dumpStore(again)).toEqual(first);
        await again.commit(batchOf({ envelopes: make.take(channel.channel_id, 1) }));
        expect((await dumpStore(again)).log).toHaveLength(71);
      }),
    );

    it(
      "R5: a damaged channel is reported broken with a reason and hides no other",
      withStore(async (store, subject) => {
        const make = createChainMaker();
        const channels = [make.channel(), make.channel(), make.channel()];
        const [before, damaged, after] = channels;
        if (before === undefined || damaged === undefined || after === undefined) {
          throw new Error("no channels were made");
        }
        const envelopes = channels.flatMap((channel) => make.take(channel.channel_id, 5));
        await store.commit(batchOf({ channels, envelopes }));
        await store.close();
        await subject.damage(damaged.channel_id);
        const again = await subject.reopen();
        const recovered = await collect((await again.recover()).channels);
        expect(recovered).toEqual([
          expect.objectContaining({ channel: before, head: make.head(before.channel_id) }),
          expect.objectContaining({
            channel_id: damaged.channel_id,
            reason: expect.stringMatching(/./),
          }),
          expect.objectContaining({ channel: after, head: make.head(after.channel_id) }),
        ]);
        await expect(again.readWal(damaged.channel_id)).rejects.toBeInstanceOf(StoreError);
        expect((await again.readWal(after.channel_id)).envelopes).toHaveLength(5);
        await again.commit(batchOf({ envelopes: make.take(after.channel_id, 1) }));
        expect((await again.readWal(after.channel_id)).head).toBe(6);
      }),
    );
  });
}
