import { EV_TEXT } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { until } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { openConnectionBench, textOf } from "../edge/connection-bench.js";

it("receipts out of order go on being taken after a restart", async () => {
  const store = createMemoryStore();
  const first = await openConnectionBench({ store });
  first.acceptInvitations();
  const a = await first.join("a");
  const b = await first.join("b");
  const channel = await first.open("conversation", a.id, b.id);
  const say = async (bench: typeof first, text: string) => {
    const { envelope } = textOf(channel, a.id, { event_data: { text } });
    return bench.hub.postEnvelope(envelope);
  };
  await say(first, "1");
  const second = await say(first, "2");
  await until(() => b.peer.notifies.some(({ envelope }) => envelope.envelope_id === second));
  b.ack(b.id, { envelope_id: second, channel_id: channel });
  await until(() => first.hub.inboxCursor(b.id, channel) === second);
  await first.hub.close();

  const again = await openConnectionBench({ store: store.reopen() });
  const back = again.connect();
  await back.hello("b", { since_envelope_id: "" });
  const third = await say(again, "3");
  await until(() => back.peer.notifies.some(({ envelope }) => envelope.envelope_id === third));
  back.ack(b.id, { envelope_id: third, channel_id: channel });
  await until(() => again.hub.inboxCursor(b.id, channel) === third);
  expect(again.logger.at("error")).toEqual([]);
  const texts = back.peer.notifies.filter(({ envelope }) => envelope.event_type === EV_TEXT);
  expect(texts.map(({ envelope }) => envelope.event_data["text"])).toEqual(["1", "3"]);
});
