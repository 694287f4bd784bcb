import type { WalRange } from "@colloquy/protocol";
import { settle } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { createDeliveryBench } from "../../../../test/edge/delivery-bench.js";

const MEMBERS = 50;
const BOUND = 1_000;

/** Many agents on one connection that takes nothing, each with an envelope of its own. */
function crowd() {
  const bench = createDeliveryBench({ limits: { maxBufferedBytes: BOUND } });
  const ranges: WalRange[] = [];
  let reading = 0;
  let mostReading = 0;
  const { readWal } = bench.context.store;
  bench.context.store.readWal = async (channelId, range = {}) => {
    ranges.push(range);
    reading += 1;
    mostReading = Math.max(mostReading, reading);
    await settle(1);
    reading -= 1;
    return readWal(channelId, range);
  };
  const sender = bench.register("sender");
  const members = Array.from({ length: MEMBERS }, (_, n) => bench.register(`m${n}`));
  const channel = bench.open(sender, ...members);
  const { peer } = bench.connect(...members);
  peer.bufferedBytes = BOUND;
  for (const member of members) bench.post(channel, sender, { audience: [member] });
  const most = () => mostReading;
  return { bench, peer, ranges, most };
}

it("reads nothing for a connection without room, however many agents share it", async () => {
  const { bench, peer, ranges } = crowd();
  for (let turn = 0; turn < 5; turn += 1) {
    await bench.clock.advance(25);
    await settle();
  }
  expect(ranges).toEqual([]);
  expect(peer.notifies).toEqual([]);
});

it("reads few pages at once, each no further than what is queued", async () => {
  const { bench, peer, ranges, most } = crowd();
  peer.bufferedBytes = 0;
  await bench.clock.advance(25);
  await settle(MEMBERS * 4);
  expect(peer.notifies).toHaveLength(MEMBERS);
  expect(most()).toBeLessThanOrEqual(4);
  for (const { limit } of ranges) expect(limit).toBe(1);
});
