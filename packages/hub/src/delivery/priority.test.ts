import type { Priority } from "@colloquy/protocol";
import { settle } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { createDeliveryBench } from "../../../../test/edge/delivery-bench.js";

it("priority orders across channels once a buffer has been full; within a channel the order of the WAL stays", async () => {
  const bench = createDeliveryBench({ limits: { maxBufferedBytes: 1_000 } });
  const [a, b] = [bench.register("a"), bench.register("b")];
  const channels = [1, 2, 3, 4].map(() => bench.open(a, b));
  const { peer } = bench.connect(b);
  peer.bufferedBytes = 800;
  const post = (channel: number, priority: Priority) => {
    const found = channels[channel];
    if (found === undefined) throw new Error("no such channel");
    return bench.post(found, a, { priority }).envelope_id;
  };
  const background = post(0, "background");
  const urgentBehind = post(0, "urgent");
  const normal = post(1, "normal");
  const urgent = post(2, "urgent");
  peer.bufferedBytes = 0;
  // There is room again: what comes now passes nothing that goes before it.
  const newer = post(3, "normal");
  await bench.clock.advanceAsync(100);
  await settle();
  expect(peer.notifiedIds).toEqual([urgent, normal, newer, background, urgentBehind]);
});

it("what is more urgent than all that waits goes at once", () => {
  const bench = createDeliveryBench({ limits: { maxBufferedBytes: 1_000 } });
  const [a, b] = [bench.register("a"), bench.register("b")];
  const [one, two] = [bench.open(a, b), bench.open(a, b)];
  const { peer } = bench.connect(b);
  peer.bufferedBytes = 800;
  bench.post(one, a, { priority: "background" });
  peer.bufferedBytes = 0;
  const urgent = bench.post(two, a, { priority: "urgent" });
  expect(peer.notifiedIds).toEqual([urgent.envelope_id]);
});
