import { type BrokenChannel, type ChannelMetadata, StoreError } from "@colloquy/protocol";
import {
  batchOf,
  collect,
  createChainMaker,
  createRecordingLogger,
  makeTempFolder,
} from "@colloquy/testkit";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "../open-sqlite-store.js";

/** Damages a closed store that holds a broken-to-be channel between two others, and opens it again. */
async function openDamaged(path: string, damage: (db: Database.Database, id: string) => void) {
  const logger = createRecordingLogger();
  const make = createChainMaker();
  const channels = [make.channel(), make.channel(), make.channel()] as [
    ChannelMetadata,
    ChannelMetadata,
    ChannelMetadata,
  ];
  const first = await openSqliteStore({ path, anchorEvery: 4 });
  await first.commit(batchOf({ channels }));
  for (let round = 0; round < 10; round += 1) {
    const envelopes = channels.map((channel) => make.next(channel.channel_id));
    const snapshots =
      round === 5
        ? channels.map(({ channel_id }) => ({ channel_id, ...make.head(channel_id), state: "{}" }))
        : [];
    await first.commit(batchOf({ envelopes, lazy: { snapshots } }));
  }
  await first.close();
  const [before, broken, after] = channels;
  const db = new Database(path);
  damage(db, broken.channel_id);
  db.close();
  const store = await openSqliteStore({ path, logger, anchorEvery: 4 });
  const recovery = await store.recover();
  const recovered = await collect(recovery.channels);
  return { store, make, logger, recovery, recovered, before, broken, after };
}

const ofChannel = "channel = (SELECT n FROM channel WHERE id = ?)";

describe("a channel that cannot be read", () => {
  it.each<[string, (db: Database.Database, id: string) => void, RegExp, boolean]>([
    [
      "metadata that are no JSON",
      (db, id) => db.prepare("UPDATE channel SET metadata = '{\"chan' WHERE id = ?").run(id),
      /metadata of channel .* cannot be read/,
      false,
    ],
    [
      "metadata of an unknown shape",
      (db, id) =>
        db
          .prepare(
            "UPDATE channel SET metadata = json_set(metadata, '$.state', 'melted') WHERE id = ?",
          )
          .run(id),
      /metadata of channel .* cannot be read/,
      false,
    ],
    [
      "a missing envelope",
      (db, id) => db.prepare(`DELETE FROM envelope WHERE position = 8 AND ${ofChannel}`).run(id),
      /broken: position 8 is missing/,
      true,
    ],
    [
      "a missing newest envelope",
      (db, id) => db.prepare(`DELETE FROM envelope WHERE position = 10 AND ${ofChannel}`).run(id),
      /newest of a channel, is missing/,
      true,
    ],
    [
      "an envelope that follows itself",
      (db, id) =>
        db.prepare(`UPDATE envelope SET prev = n WHERE position = 9 AND ${ofChannel}`).run(id),
      /broken: position 8 is missing/,
      true,
    ],
    [
      "an envelope that follows another channel's",
      (db, id) =>
        db
          .prepare(`UPDATE envelope SET prev = prev - 1 WHERE position = 9 AND ${ofChannel}`)
          .run(id),
      /broken: position 8 is missing/,
      true,
    ],
    [
      "an envelope that is no JSON",
      (db, id) =>
        db
          .prepare(
            `UPDATE envelope SET body = substr(body, 1, 40) WHERE position = 9 AND ${ofChannel}`,
          )
          .run(id),
      /position 9 is no valid JSON/,
      true,
    ],
  ])("by %s is reported and hides no other", async (_name, damage, reason, hasMetadata) => {
    using folder = makeTempFolder();
    const { store, make, recovered, before, broken, after } = await openDamaged(
      folder.at("hub.db"),
      damage,
    );
    expect(recovered).toHaveLength(3);
    const report = recovered[1] as BrokenChannel;
    expect(report.channel_id).toBe(broken.channel_id);
    expect(report.reason).toMatch(reason);
    expect(report.channel).toEqual(hasMetadata ? broken : null);
    expect([recovered[0], recovered[2]]).toMatchObject([
      { channel: before, head: make.head(before.channel_id), tail: { length: 4 } },
      { channel: after, head: make.head(after.channel_id), tail: { length: 4 } },
    ]);
    expect(await store.listChannels()).toHaveLength(hasMetadata ? 3 : 2);
    await store.commit(batchOf({ envelopes: make.take(after.channel_id, 1) }));
    expect((await store.readWal(after.channel_id)).head).toBe(11);
    expect(store.health().healthy).toBe(true);
    await store.close();
  });

  it("rejects reads of the missing place and of nothing else", async () => {
    using folder = makeTempFolder();
    const { store, broken } = await openDamaged(folder.at("hub.db"), (db, id) => {
      db.prepare(`DELETE FROM envelope WHERE position = 2 AND ${ofChannel}`).run(id);
    });
    const id = broken.channel_id;
    await expect(store.readWal(id)).rejects.toBeInstanceOf(StoreError);
    await expect(store.readWal(id, { limit: 2 })).rejects.toMatchObject({
      details: { reason: "broken_chain", channel_id: id, position: 2 },
    });
    expect((await store.readWal(id, { after: 2 })).envelopes).toHaveLength(8);
    expect((await store.readWal(id, { last: 3 })).envelopes).toHaveLength(3);
    await store.close();
  });

  it("is read from the nearest anchor, so what stands behind it is not even looked at", async () => {
    using folder = makeTempFolder();
    const { store, broken } = await openDamaged(folder.at("hub.db"), (db, id) => {
      db.prepare(`DELETE FROM envelope WHERE position IN (5, 7) AND ${ofChannel}`).run(id);
    });
    const id = broken.channel_id;
    for (const upTo of [1, 3, 4]) {
      expect((await store.readWal(id, { upTo })).envelopes).toHaveLength(upTo);
    }
    expect((await store.readWal(id, { after: 7, upTo: 8 })).envelopes).toHaveLength(1);
    await store.close();
  });

  it("is whole for its state when a snapshot stands behind the missing place", async () => {
    using folder = makeTempFolder();
    const { store, recovered, broken } = await openDamaged(folder.at("hub.db"), (db, id) => {
      db.prepare(`DELETE FROM envelope WHERE position = 2 AND ${ofChannel}`).run(id);
    });
    expect(recovered[1]).toMatchObject({ channel: broken, snapshot: { position: 6 } });
    await store.close();
  });

  it("a snapshot that does not fit its log is passed over with a warning", async () => {
    using folder = makeTempFolder();
    const { store, logger, recovered, broken } = await openDamaged(
      folder.at("hub.db"),
      (db, id) => {
        db.prepare(`UPDATE snapshot SET n = 1, position = 99 WHERE ${ofChannel}`).run(id);
      },
    );
    expect(recovered[1]).toMatchObject({ channel: broken, snapshot: null, tail: { length: 10 } });
    expect(logger.at("warn")).toMatchObject([{ fields: { channel_id: broken.channel_id } }]);
    await store.close();
  });

  it("rows that are missing at the end of the log are reported and their numbers not used again", async () => {
    using folder = makeTempFolder();
    const { store, make, recovery, after } = await openDamaged(folder.at("hub.db"), (db) => {
      db.exec("DELETE FROM envelope WHERE n >= 29");
    });
    expect(recovery.repairs).toEqual([expect.stringContaining("rows 29 to 30 are missing")]);
    expect(recovery.last_row).toBe(30);
    await expect(
      store.commit(batchOf({ envelopes: make.take(after.channel_id, 1) })),
    ).rejects.toBeInstanceOf(StoreError);
    await store.close();
  });
});
