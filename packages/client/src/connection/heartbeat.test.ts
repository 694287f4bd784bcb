import { createFakeClock } from "@colloquy/testkit";
import { describe, expect, it, vi } from "vitest";
import { createHeartbeat } from "./heartbeat.js";

function start(intervalMs = 1000) {
  const clock = createFakeClock();
  const ping = vi.fn();
  const onSilent = vi.fn();
  const heartbeat = createHeartbeat({ clock, intervalMs, ping, onSilent });
  return { clock, ping, onSilent, heartbeat };
}

describe("heartbeat", () => {
  it("gives a silent far side up after two beats", () => {
    const { clock, ping, onSilent } = start();
    clock.advance(1000);
    expect(ping).toHaveBeenCalledTimes(1);
    expect(onSilent).not.toHaveBeenCalled();
    clock.advance(1000);
    expect(onSilent).toHaveBeenCalledTimes(1);
    clock.advance(60_000);
    expect(onSilent).toHaveBeenCalledTimes(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it("goes on for as long as something is heard", () => {
    const { clock, ping, onSilent, heartbeat } = start();
    ping.mockImplementation(() => heartbeat.heard());
    clock.advance(100_000);
    expect(onSilent).not.toHaveBeenCalled();
    expect(ping.mock.calls.length).toBeGreaterThan(40);
  });

  it("pings a talkative hub too when nothing was sent to it", () => {
    const { clock, ping, heartbeat } = start();
    heartbeat.heard();
    clock.advance(1000);
    expect(ping).toHaveBeenCalledTimes(1);
    heartbeat.heard();
    heartbeat.sent();
    clock.advance(1000);
    expect(ping).toHaveBeenCalledTimes(1);
  });

  it("does not count time in which this process stood still", () => {
    const { clock, ping, onSilent } = start();
    for (let beat = 0; beat < 5; beat += 1) {
      clock.set(clock.now() + 5_000);
      clock.advance(1000);
    }
    expect(onSilent).not.toHaveBeenCalled();
    expect(ping).toHaveBeenCalledTimes(5);
  });

  it("takes another interval and stops", () => {
    const { clock, ping, heartbeat } = start(0);
    expect(clock.pendingTimers).toBe(0);
    heartbeat.setInterval(200);
    clock.advance(200);
    expect(ping).toHaveBeenCalledTimes(1);
    heartbeat.stop();
    expect(clock.pendingTimers).toBe(0);
  });
});
