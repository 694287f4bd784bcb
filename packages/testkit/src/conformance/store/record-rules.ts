import type { ChannelFilter, ChannelMetadata } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { batchOf, createChainMaker } from "../../fakes/stored-chain.js";
import type { WithStore } from "./store-subject.js";

const ids = (channels: readonly ChannelMetadata[]) => channels.map((channel) => channel.channel_id);

/** Records by kind and id, and the list of channels. */
export function describeRecords(withStore: WithStore): void {
  describe("records", () => {
    it(
      "the newest value counts, null deletes, kinds do not mix",
      withStore(async (store, subject) => {
        const write = (kind: "agent" | "rule", id: string, value: string | null) => ({
          kind,
          id,
          value,
        });
        await store.commit(
          batchOf({ records: [write("agent", "a", "1"), write("rule", "a", "rule")] }),
        );
        await store.commit(
          batchOf({
            records: [
              write("agent", "a", "2"),
              write("agent", "b", "1"),
              write("agent", "b", null),
              write("agent", "c", null),
              write("agent", "c", "3"),
              write("agent", "never", null),
            ],
          }),
        );
        const check = async (open: typeof store) => {
          expect(await open.readRecord("agent", "a")).toBe("2");
          expect(await open.readRecord("agent", "b")).toBeNull();
          expect(await open.readRecord("agent", "c")).toBe("3");
          expect(await open.readRecord("rule", "a")).toBe("rule");
          expect(await open.readRecord("rule", "c")).toBeNull();
          expect(await open.listRecords("agent")).toEqual([
            { kind: "agent", id: "a", value: "2" },
            { kind: "agent", id: "c", value: "3" },
          ]);
          expect(await open.listRecords("task")).toEqual([]);
        };
        await check(store);
        await store.close();
        await check(await subject.reopen());
      }),
    );

    it(
      "are listed by id, in pages",
      withStore(async (store) => {
        const names = Array.from(
          { length: 1_050 },
          (_, index) => `t${`${index}`.padStart(4, "0")}`,
        );
        const records = names.map((id) => ({ kind: "task", id, value: "{}" }) as const);
        await store.commit(batchOf({ records: [...records].reverse() }));
        expect(await store.listRecords("task", "", 3)).toEqual(records.slice(0, 3));
        expect(await store.listRecords("task", "t0002", 3)).toEqual(records.slice(3, 6));
        expect(await store.listRecords("task", "t0002x", 1)).toEqual(records.slice(3, 4));
        expect(await store.listRecords("task")).toEqual(records.slice(0, 1_000));
        expect(await store.listRecords("task", "t0999")).toEqual(records.slice(1_000));
        expect(await store.listRecords("task", "u")).toEqual([]);
      }),
    );
  });

  describe("channels", () => {
    it(
      "the newest metadata count; the order is that of ids",
      withStore(async (store) => {
        const make = createChainMaker();
        const channels = [make.channel(), make.channel(), make.channel()];
        await store.commit(batchOf({ channels: [...channels].reverse() }));
        const [first] = channels;
        if (first === undefined) throw new Error("no channel was made");
        const closed: ChannelMetadata = { ...first, state: "closed", close_reason: "explicit" };
        await store.commit(batchOf({ channels: [closed] }));
        expect(await store.readChannel(first.channel_id)).toEqual(closed);
        expect(await store.listChannels()).toEqual([closed, ...channels.slice(1)]);
      }),
    );

    it(
      "filters by member, state and place, alone and together",
      withStore(async (store, subject) => {
        const make = createChainMaker();
        const ab = make.channel({ members: ["a", "b"] });
        const bc = make.channel({ members: ["b", "c"], state: "pending" });
        const abc = make.channel({ members: ["a", "b", "c"] });
        const gone = make.channel({ members: ["a", "c"] });
        await store.commit(batchOf({ channels: [ab, bc, abc, gone] }));
        await store.commit(batchOf({ channels: [{ ...gone, state: "closed" }] }));
        const cases: [ChannelFilter, ChannelMetadata[]][] = [
          [{}, [ab, bc, abc, gone]],
          [{ agent_id: "a" }, [ab, abc, gone]],
          [{ agent_id: "c" }, [bc, abc, gone]],
          [{ agent_id: "nobody" }, []],
          [{ states: ["active"] }, [ab, abc]],
          [{ states: ["pending", "closed"] }, [bc, gone]],
          [{ states: [] }, []],
          [{ agent_id: "a", states: ["active"] }, [ab, abc]],
          [{ agent_id: "c", states: ["closed"] }, [gone]],
          [{ limit: 2 }, [ab, bc]],
          [{ after: bc.channel_id }, [abc, gone]],
          [{ after: ab.channel_id, limit: 1 }, [bc]],
          [{ agent_id: "a", after: ab.channel_id, limit: 1 }, [abc]],
          [{ agent_id: "a", after: ab.channel_id, states: ["closed", "expired"] }, [gone]],
          [{ after: "zz" }, []],
        ];
        const check = async (open: typeof store) => {
          for (const [filter, expected] of cases) {
            expect({ filter, found: ids(await open.listChannels(filter)) }).toEqual({
              filter,
              found: ids(expected),
            });
          }
        };
        await check(store);
        await store.close();
        await check(await subject.reopen());
      }),
    );

    it(
      "a member who joins or leaves changes the list of that member",
      withStore(async (store) => {
        const make = createChainMaker();
        const channel = make.channel({ members: ["a", "b"] });
        await store.commit(batchOf({ channels: [channel] }));
        const changed = make.channel({ channel_id: channel.channel_id, members: ["b", "c"] });
        await store.commit(batchOf({ channels: [changed] }));
        expect(await store.listChannels({ agent_id: "a" })).toEqual([]);
        expect(await store.listChannels({ agent_id: "b" })).toEqual([changed]);
        expect(await store.listChannels({ agent_id: "c" })).toEqual([changed]);
      }),
    );

    it(
      "are listed at most 1,000 at a time",
      withStore(async (store) => {
        const make = createChainMaker();
        const channels = Array.from({ length: 1_010 }, () => make.channel());
        await store.commit(batchOf({ channels }));
        const first = await store.listChannels({ limit: 4_000 });
        expect(ids(first)).toEqual(ids(channels.slice(0, 1_000)));
        const rest = await store.listChannels({ after: first.at(-1)?.channel_id ?? "" });
        expect(ids(rest)).toEqual(ids(channels.slice(1_000)));
      }),
    );
  });
}
