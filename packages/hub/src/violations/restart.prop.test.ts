import { createDefaultAdapters } from "@colloquy/adapters";
import type { Clock, Timer } from "@colloquy/protocol";
import { createMemoryStore, type MemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench, settle } from "@colloquy/testkit";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Hub } from "../hub.js";
import { openHub } from "../open-hub.js";

type Step =
  | { readonly kind: "say"; readonly channel: number; readonly who: number }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "restart"; readonly killed: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("say" as const), channel: fc.nat(2), who: fc.nat(2) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.nat(40_000) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("restart" as const), killed: fc.boolean() }),
  },
);

const within = (name: string, on_violation: string, seconds: number) => ({
  ...{ name, on_violation, params: { seconds } },
});

/** A clock whose timers end with the process that set them. */
function mortal(clock: Clock): Clock & { kill(): void } {
  const timers = new Set<Timer>();
  return {
    now: () => clock.now(),
    setTimer(delayMs, callback) {
      const timer = clock.setTimer(delayMs, callback);
      timers.add(timer);
      return timer;
    },
    kill() {
      for (const timer of timers) timer.cancel();
    },
  };
}

/** What fires, and when, in milliseconds since the start. */
async function play(steps: readonly Step[], snapshotEvery: number): Promise<string[]> {
  const clock = createFakeClock(0);
  const fired: string[] = [];
  let store: MemoryStore = createMemoryStore();
  let life = mortal(clock);
  const open = async (): Promise<Hub> => {
    const hub = await openHub({
      ...{ store, clock: life, ids: createFakeIds(), adapters: createDefaultAdapters() },
      limits: { snapshotEvery, inviteAckTimeoutMs: 1_000_000_000 },
    });
    hub.addListener({
      onExpectationFired(channelId, { name, on_violation }, violators, detail) {
        const who = violators.map((id) => hub.nameFor(id)).join("+");
        const at = channels.indexOf(channelId);
        fired.push(`${clock.now()} ${at} ${name} ${on_violation} ${who} ${JSON.stringify(detail)}`);
      },
    });
    return hub;
  };
  const channels: string[] = [];
  let hub = await open();
  const bench = createHubBench(hub);
  const ids = [await bench.join("a"), await bench.join("b"), await bench.join("c")];
  const [a = "", b = "", c = ""] = ids;
  const late = await bench.join("late", { invites: "silent" });
  const pair = [within("max_silence", "notify_channel", 60), within("reply_within", "audit", 45)];
  const circle = [within("turn_within", "warn", 30), within("turn_within", "reassign", 70)];
  const options = (expectations: unknown) => ({ ttl: 0, knobs: { expectations } });
  for (const opened of [
    await bench.open("conversation", a, [b], options(pair)),
    await bench.open("discussion", a, [b, c], options(circle)),
    await bench.open("discussion", b, [c], options(pair)),
  ]) {
    channels.push(opened.channel_id);
  }
  const pending = [within("acks_within", "warn", 90)];
  bench.open("conversation", a, [late], options(pending)).catch(() => undefined);
  await settle();

  for (const one of steps) {
    if (one.kind === "pass") await clock.advanceAsync(one.ms);
    else if (one.kind === "say") {
      const draft = { channel_id: channels[one.channel] ?? "", sender_id: ids[one.who] ?? "" };
      const said = { ...draft, event_type: "ag2.msg.text", event_data: { text: "words" } };
      await hub.post(said).catch(() => undefined);
    } else {
      if (one.killed) {
        life.kill();
        store.crash();
      } else await hub.close();
      store = store.reopen();
      life = mortal(clock);
      hub = await open();
    }
  }
  await clock.advanceAsync(100_000);
  await hub.close();
  // In which order channels come at one instant is left open; within a channel it is not.
  const placeOf = (line: string) => line.split(" ").slice(0, 2).map(Number);
  return fired.sort((one, other) => {
    const [[at = 0, channel = 0], [otherAt = 0, otherChannel = 0]] = [placeOf(one), placeOf(other)];
    return at - otherAt || channel - otherChannel;
  });
}

it("the same fires at the same instants, wherever the hub is restarted or killed", async () => {
  const input = fc.tuple(
    fc.array(step, { minLength: 5, maxLength: 25 }),
    fc.constantFrom(1, 3, 100),
  );
  const property = fc.asyncProperty(input, async ([steps, snapshotEvery]) => {
    const undisturbed = await play(
      steps.filter(({ kind }) => kind !== "restart"),
      snapshotEvery,
    );
    expect(await play(steps, snapshotEvery)).toEqual(undisturbed);
    expect(undisturbed.length).toBeGreaterThan(2);
  });
  await fc.assert(property, { numRuns: 60 });
});
