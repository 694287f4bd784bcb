import { batchOf, createChainMaker, makeTempFolder } from "@colloquy/testkit";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { openSqliteStore } from "../open-sqlite-store.js";

it("people read the log with any SQLite tool, while the owner writes", async () => {
  using folder = makeTempFolder();
  const path = folder.at("hub.db");
  const store = await openSqliteStore({ path });
  const make = createChainMaker();
  const [one, two] = [make.channel(), make.channel()];
  const envelopes = [
    make.next(one.channel_id, { text: "hello" }),
    make.next(two.channel_id, { sender_id: "bob", event_type: "my.event" }),
    make.next(one.channel_id, { text: "again" }),
  ];
  await store.commit(batchOf({ channels: [one, two], envelopes }));
  const tool = new Database(path, { readonly: true });
  const rows = tool.prepare("SELECT channel_id, position, sender, type, body FROM wal").all();
  expect(rows).toEqual(
    envelopes.map((envelope) => ({
      channel_id: envelope.channel_id,
      position: envelope.position,
      sender: envelope.sender_id,
      type: envelope.event_type,
      body: envelope.body,
    })),
  );
  const texts = tool
    .prepare("SELECT json_extract(body, '$.event_data.text') FROM wal WHERE channel_id = ?")
    .pluck();
  expect(texts.all(one.channel_id)).toEqual(["hello", "again"]);
  tool.close();
  await store.commit(batchOf({ envelopes: make.take(one.channel_id, 1) }));
  await store.close();
});
