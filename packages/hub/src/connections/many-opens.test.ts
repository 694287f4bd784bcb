import { settle } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { openConnectionBench } from "../../../../test/edge/connection-bench.js";

it("reads are answered while any number of opens wait for their invitees", async () => {
  const bench = await openConnectionBench();
  const [a, b] = [await bench.join("a"), await bench.join("b")];
  const params = { creator_id: a.id, manifest_type: "conversation", participants: [b.id] };
  for (let n = 0; n < 100; n += 1) {
    a.send({ kind: "request", request_id: `open ${n}`, op: "create_channel", params });
  }
  await settle(10);
  expect(b.peer.notifies).toHaveLength(100);
  for (const { envelope } of b.peer.notifies.slice(0, 3)) {
    const { channel_id } = envelope;
    const late = settle(50).then(() => "no answer");
    const answer = await Promise.race([b.request("get_channel", { channel_id }), late]);
    expect(answer).toMatchObject({ ok: true, result: { state: "pending" } });
  }
});
