import { createEnvelope, type Envelope } from "@colloquy/protocol";
import { createFakeClock } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createChannelInboxes } from "./channel-inboxes.js";
import { createEnvelopeQueue } from "./envelope-queue.js";
import { createRecentIds } from "./recent-ids.js";

const say = (text: string, channel_id = "c"): Envelope =>
  createEnvelope({ channel_id, event_type: "x", event_data: { text }, envelope_id: text });
const is = (text: string) => (envelope: Envelope) => envelope.event_data["text"] === text;
const textOf = (envelope: Envelope) => envelope.event_data["text"];

describe("envelope queue", () => {
  it("keeps what came before the wait, and leaves out what is not waited for", async () => {
    const queue = createEnvelopeQueue(createFakeClock(), 10);
    for (const text of ["a", "b", "c"]) queue.push(say(text));
    expect(textOf(await queue.take(is("b")))).toBe("b");
    expect(queue.peek().map(textOf)).toEqual(["c"]);
    expect(queue.size).toBe(1);
  });

  it("serves each waiter what it waits for", async () => {
    const queue = createEnvelopeQueue(createFakeClock(), 10);
    const [b, a] = [queue.take(is("b")), queue.take(is("a"))];
    queue.push(say("a"));
    queue.push(say("other"));
    queue.push(say("b"));
    expect((await Promise.all([a, b])).map(textOf)).toEqual(["a", "b"]);
    expect(queue.size).toBe(0);
  });

  it("drops the oldest and counts it when full", () => {
    const queue = createEnvelopeQueue(createFakeClock(), 2);
    for (const text of ["a", "b", "c"]) queue.push(say(text));
    expect(queue.peek().map(textOf)).toEqual(["b", "c"]);
    expect(queue.dropped).toBe(1);
  });

  it("keeps an unread envelope on which a predicate throws", async () => {
    const queue = createEnvelopeQueue(createFakeClock(), 10);
    for (const text of ["a", "b"]) queue.push(say(text));
    const odd = queue.take((envelope) => {
      if (textOf(envelope) === "b") throw new Error("odd");
      return false;
    });
    await expect(odd).rejects.toThrow("odd");
    expect(queue.peek().map(textOf)).toEqual(["b"]);
    expect(textOf(await queue.take(is("b")))).toBe("b");
  });

  it("fails a wait by time, signal, a throwing predicate and its end, each on its own", async () => {
    const clock = createFakeClock();
    const queue = createEnvelopeQueue(clock, 10);
    const abort = new AbortController();
    const waits = [
      queue.take(is("never"), { timeoutMs: 50 }),
      queue.take(is("never"), { signal: abort.signal }),
      queue.take(() => {
        throw new Error("odd");
      }),
      queue.take(is("never")),
    ].map((wait) => wait.catch((error: Error) => error.message));
    queue.push(say("a"));
    clock.advance(50);
    abort.abort();
    queue.end(new Error("over"));
    expect(await Promise.all(waits)).toEqual([
      "no such envelope within 50 ms",
      "the wait was aborted",
      "odd",
      "over",
    ]);
    expect(clock.pendingTimers).toBe(0);
    await expect(queue.take(() => true)).rejects.toThrow("over");
    queue.push(say("late"));
    expect(queue.size).toBe(0);
  });
});

describe("channel inboxes", () => {
  it("are one object per channel, and the quietest goes when there are too many", async () => {
    const inboxes = createChannelInboxes(createFakeClock(), { perChannel: 5, channels: 2 });
    const first = inboxes.ensure("1");
    expect(inboxes.ensure("1")).toBe(first);
    const waiting = first.take(is("a"));
    inboxes.push(say("x", "2"));
    inboxes.push(say("x", "3"));
    inboxes.push(say("x", "4"));
    expect(["1", "2", "3", "4"].map((id) => inboxes.has(id))).toEqual([true, false, false, true]);
    inboxes.push(say("a", "1"));
    expect(textOf(await waiting)).toBe("a");
    inboxes.discard("1");
    expect(inboxes.has("1")).toBe(false);
    inboxes.end(new Error("over"));
    await expect(inboxes.ensure("9").take(() => true)).rejects.toThrow("over");
  });
});

describe("recent ids", () => {
  it("forget the oldest", () => {
    const ids = createRecentIds(2);
    for (const id of ["a", "b", "a", "c"]) ids.add(id);
    expect(["a", "b", "c"].map((id) => ids.has(id))).toEqual([true, false, true]);
  });
});
