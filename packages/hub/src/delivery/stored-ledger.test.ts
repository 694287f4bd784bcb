import { settle } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { createDeliveryBench } from "../../../../test/edge/delivery-bench.js";

it("F-148 admitted, delivered, being handled, answered and failed are told apart per recipient, with times", async () => {
  const bench = createDeliveryBench();
  const [a, ...others] = ["a", "away", "busy", "works", "done", "fails"].map((n) =>
    bench.register(n),
  );
  if (a === undefined) throw new Error("nobody is registered");
  const [away, busy, works, done, fails] = others;
  const channel = bench.open(a, ...others);
  bench.connect(a, ...others.slice(1));
  const text = bench.post(channel, a);
  const receipt = (recipient_id = "", status: "ack" | "nack" | "taken_up", reason = "") => {
    const { channel_id, envelope_id } = text;
    bench.delivery.receipt({ recipient_id, channel_id, envelope_id, status, reason });
  };
  await bench.clock.advanceAsync(10);
  receipt(works, "taken_up");
  receipt(done, "taken_up");
  bench.post(channel, done ?? "", { causation_id: text.envelope_id, audience: [a] });
  receipt(done, "ack");
  receipt(fails, "nack", "the model is down");
  const lines = () => bench.delivery.ledger(channel.id, text.envelope_id);
  const at = (state: string, recipient_id = "") => ({ recipient_id, state });
  expect(lines()).toMatchObject([
    { ...at("queued", away), attempt: 0, sent_at: null, queued_at: text.created_at },
    { ...at("sent", busy), sent_at: text.created_at, taken_up_at: null },
    { ...at("taken_up", works), taken_up_at: expect.stringContaining("10000+00:00") },
    { ...at("answered", done), answered_at: expect.any(String), settled_at: expect.any(String) },
    { ...at("failed", fails), reason: "the model is down", failed_at: expect.any(String) },
  ]);
  const before = lines();
  await bench.restart();
  await settle();
  expect(lines()[3]).toEqual(before[3]);
  expect(lines().map(({ state }) => state)).toEqual([
    "queued",
    "queued",
    "queued",
    "answered",
    "queued",
  ]);
});

it("writes what was quiet for a second, and keeps so many envelopes over restarts", async () => {
  const bench = createDeliveryBench({ limits: { ledgerEnvelopes: 64 } });
  const [a, b] = [bench.register("a"), bench.register("b")];
  const channel = bench.open(a, b);
  bench.connect(b);
  const posted = Array.from({ length: 200 }, () => bench.post(channel, a));
  for (const envelope of posted) bench.ack(b, envelope);
  await bench.clock.advanceAsync(2_000);
  await bench.restart({ crash: true });
  const kept = posted.filter(
    ({ envelope_id }) => bench.delivery.ledger(channel.id, envelope_id)[0]?.settled_at != null,
  );
  expect(kept.map(({ envelope_id }) => envelope_id)).toEqual(
    posted.slice(-64).map(({ envelope_id }) => envelope_id),
  );
});
