import { expect, it } from "vitest";
import { createDeliveryBench } from "../../../../test/edge/delivery-bench.js";
import { ALLOW, type DispatchRequest } from "../policy/arbiter.js";

it("judges with the content at hand and keeps none of it", () => {
  const bench = createDeliveryBench();
  const [a, b, c] = ["a", "b", "c"].map((name) => bench.register(name)) as [string, string, string];
  const channel = bench.open(a, b, c);
  const secret = "x".repeat(1_000);
  bench.post(channel, a, { event_data: { text: secret } });
  const seen: unknown[] = [];
  bench.context.arbiter.authorizeDispatch = ({ envelope, recipient }: DispatchRequest) => {
    seen.push(envelope.event_data);
    return recipient.id === c ? { allow: false, reason: "not for c" } : ALLOW;
  };
  const weighed = bench.delivery.weigh(channel, channel.wal);
  expect(seen).toEqual([{ text: secret }, { text: secret }]);
  expect(weighed).toMatchObject([
    { position: 1, envelope: { sender_id: a, event_data: {} }, recipients: [b], refused: [c] },
  ]);
  expect(JSON.stringify(weighed)).not.toContain(secret);
});
