import { createFakeClock, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { type Beating, createHeartbeat } from "./heartbeat.js";

/** A socket that answers pings as long as it is told to. */
function createSocket(answers: boolean) {
  const state = { bytesRead: 0, pings: 0, cuts: 0, answers };
  const socket: Beating = {
    get bytesRead() {
      return state.bytesRead;
    },
    ping() {
      state.pings += 1;
      if (state.answers) state.bytesRead += 6;
    },
    cut() {
      state.cuts += 1;
    },
  };
  return { socket, state };
}

describe("createHeartbeat", () => {
  it("cuts what stays silent over two beats, and keeps what answers or talks", async () => {
    const clock = createFakeClock();
    const heart = createHeartbeat(clock, 1_000);
    const [dead, alive, talker] = [createSocket(false), createSocket(true), createSocket(false)];
    for (const { socket } of [dead, alive, talker]) heart.add(socket);
    for (let beat = 1; beat <= 5; beat += 1) {
      talker.state.bytesRead += 1;
      await clock.advanceAsync(1_000);
      if (dead.state.cuts > 0) heart.remove(dead.socket);
      expect(dead.state.cuts).toBe(beat >= 2 ? 1 : 0);
    }
    expect(alive.state).toMatchObject({ cuts: 0, pings: 5 });
    expect(talker.state).toMatchObject({ cuts: 0, pings: 5 });
  });

  it("F-074 does not hold the time in which the hub was blocked against anybody", async () => {
    const clock = createFakeClock();
    const heart = createHeartbeat(clock, 1_000);
    const sockets = Array.from({ length: 11 }, () => createSocket(false));
    for (const { socket } of sockets) heart.add(socket);
    const cuts = () => sockets.reduce((sum, { state }) => sum + state.cuts, 0);
    await clock.advanceAsync(1_000);
    for (let block = 0; block < 5; block += 1) {
      // The timer is due after the clock has moved on by more than a beat and a half.
      clock.set(clock.now() + 600);
      await clock.advanceAsync(1_000);
    }
    expect(cuts()).toBe(0);
    for (const { state } of sockets) state.bytesRead += 1;
    await clock.advanceAsync(1_000);
    await clock.advanceAsync(1_000);
    expect(cuts()).toBe(0);
    await clock.advanceAsync(1_000);
    expect(cuts()).toBe(11);
  });

  it("reads what has arrived before it judges", async () => {
    const clock = createFakeClock();
    const heart = createHeartbeat(clock, 1_000);
    const { socket, state } = createSocket(false);
    heart.add(socket);
    await clock.advanceAsync(1_000);
    clock.advance(1_000);
    state.bytesRead += 1;
    await settle();
    expect(state.cuts).toBe(0);
  });

  it("beats only while there is somebody, and not at all when it is off or stopped", async () => {
    const clock = createFakeClock();
    const heart = createHeartbeat(clock, 1_000);
    expect(clock.pendingTimers).toBe(0);
    const { socket, state } = createSocket(true);
    heart.add(socket);
    await clock.advanceAsync(1_000);
    heart.remove(socket);
    await clock.advanceAsync(3_000);
    expect(state.pings).toBe(1);
    expect(clock.pendingTimers).toBe(0);
    heart.add(socket);
    heart.stop();
    await clock.advanceAsync(3_000);
    expect(state.pings).toBe(1);
    createHeartbeat(clock, 0).add(socket);
    expect(clock.pendingTimers).toBe(0);
  });
});
