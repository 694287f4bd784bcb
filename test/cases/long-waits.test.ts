import { createConversationAdapter } from "@colloquy/adapters";
import { openHub } from "@colloquy/hub";
import { createSystemClock } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeIds, createHubBench, settle } from "@colloquy/testkit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDeliveryBench } from "../edge/delivery-bench.js";

const DAY = 86_400_000;

describe("waits of weeks", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("F-147 a channel of 30 days is open on day 29 and expired on day 31, once, over a restart on day 10", async () => {
    const started = Date.now();
    const onDay = async (day: number) => {
      while (Date.now() < started + day * DAY) {
        await vi.advanceTimersByTimeAsync(Math.min(DAY, started + day * DAY - Date.now()));
        await settle();
      }
    };
    const open = (store: ReturnType<typeof createMemoryStore>) =>
      openHub({
        ...{ store, ids: createFakeIds(), clock: createSystemClock({ unref: true }) },
        adapters: [createConversationAdapter({ expectations: [] })],
      });
    const store = createMemoryStore();
    const first = await open(store);
    const bench = createHubBench(first);
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    const { channel_id: id } = await bench.open("conversation", a, [b], { ttl: "30d" });
    await onDay(10);
    await first.close();
    const second = await open(store.reopen());
    const armed = vi.spyOn(globalThis, "setTimeout");
    await onDay(29);
    expect((await second.getChannel(id)).state).toBe("active");
    await onDay(31);
    expect(await second.getChannel(id)).toMatchObject({
      ...{ state: "expired", close_reason: "ttl_expired" },
    });
    const events = (await second.readWal(id)).map(({ event_type }) => event_type);
    expect(events.filter((type) => type === "ag2.channel.expired")).toHaveLength(1);
    expect(armed.mock.calls.length).toBeLessThan(20);
    await second.close();
  });
});

// After a restart an agent that comes back gets at once what is outstanding (design, section 5), so
// the retry of one that stays is looked at.
it("F-147 a retry that is 40 days ahead happens on day 40 and not before, on one timer", async () => {
  const limits = { redeliveryBaseMs: 40 * DAY, redeliveryMaxMs: 40 * DAY };
  const bench = createDeliveryBench({ limits });
  const [a, b] = [bench.register("a"), bench.register("b")];
  const channel = bench.open(a, b);
  const { peer } = bench.connect(b);
  const text = bench.post(channel, a);
  bench.nack(b, text, "later");
  for (let day = 1; day < 40; day += 1) await bench.clock.advanceAsync(DAY);
  await bench.clock.advanceAsync(DAY - 1);
  expect(peer.notifies).toHaveLength(1);
  expect(bench.clock.pendingTimers).toBe(1);
  await bench.clock.advanceAsync(1);
  expect(peer.notifies.map(({ attempt }) => attempt)).toEqual([1, 2]);
});
