import { EV_TEXT } from "@colloquy/protocol";
import { expect, it } from "vitest";
import { createOutbox } from "./outbox.js";

const draft = (key: string) => ({
  ...{ channel_id: "c", event_type: EV_TEXT, event_data: { text: key }, idempotency_key: key },
});

function start() {
  const seen: string[] = [];
  const outbox = createOutbox(() => {
    seen.push(
      outbox.messages.map((message) => `${message.draft.idempotency_key} ${message.state}`).join(),
    );
  });
  return { outbox, seen };
}

it("tells of each change: waiting, failed, waiting again, gone", async () => {
  const { outbox, seen } = start();
  await expect(outbox.track(draft("a"), Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(outbox.messages[0]?.error?.message).toBe("no");
  await outbox.track(draft("a"), Promise.resolve());
  expect(seen).toEqual(["a waiting", "a failed", "a waiting", ""]);
});

it("gives up a message that has failed, and no other", async () => {
  const { outbox } = start();
  let admit = (): void => undefined;
  const sending = outbox.track(
    draft("b"),
    new Promise<void>((resolve) => {
      admit = resolve;
    }),
  );
  await outbox.track(draft("a"), Promise.reject(new Error("no"))).catch(() => undefined);
  expect(outbox.discard("b")).toBe(false);
  expect(outbox.discard("a")).toBe(true);
  expect(outbox.discard("a")).toBe(false);
  expect(outbox.messages).toMatchObject([{ state: "waiting" }]);
  admit();
  await sending;
  expect(outbox.messages).toEqual([]);
});

it("keeps the newest hundred that have failed", async () => {
  const { outbox } = start();
  for (let n = 0; n < 101; n += 1) {
    const sending = outbox.track(draft(String(n)), Promise.reject(new Error("no")));
    await sending.catch(() => undefined);
  }
  expect(outbox.messages).toHaveLength(100);
  expect(outbox.messages[0]?.draft.idempotency_key).toBe("1");
});
