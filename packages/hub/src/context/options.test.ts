import { MAX_AUDIENCE } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { describe, expect, it } from "vitest";
import { DEFAULT_HUB_LIMITS } from "../core/hub-limits.js";
import { openHub } from "../open-hub.js";
import { completeLimits } from "./options.js";

describe("limits", () => {
  it("are completed with their defaults", () => {
    expect(completeLimits()).toEqual(DEFAULT_HUB_LIMITS);
    const { snapshotEvery, deliveryWindow } = completeLimits({ snapshotEvery: 7 });
    expect([snapshotEvery, deliveryWindow]).toEqual([7, DEFAULT_HUB_LIMITS.deliveryWindow]);
  });

  it("that are unknown or no whole number are refused by name", async () => {
    expect(() => completeLimits({ snapshots: 1 } as never)).toThrow(
      "there is no limit 'snapshots'",
    );
    for (const value of [0, -1, 1.5, Number.NaN, "9"]) {
      expect(() => completeLimits({ snapshotEvery: value as number })).toThrow(
        "limit snapshotEvery must be a whole number from 1 up",
      );
    }
    expect(completeLimits({ endedChannelsInMemory: 0 }).endedChannelsInMemory).toBe(0);
    expect(completeLimits({ maxParticipants: MAX_AUDIENCE }).maxParticipants).toBe(MAX_AUDIENCE);
    expect(() => completeLimits({ maxParticipants: MAX_AUDIENCE + 1 })).toThrow(
      `limit maxParticipants must be at most ${MAX_AUDIENCE}`,
    );
    const opening = openHub({ store: createMemoryStore(), limits: { maxParticipants: -1 } });
    await expect(opening).rejects.toThrow(TypeError);
  });
});
