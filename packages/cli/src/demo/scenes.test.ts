import { createDefaultAdapters } from "@colloquy/adapters";
import type { ChannelMetadata } from "@colloquy/protocol";
import { fakeChannel } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import {
  endedWell,
  labelsOf,
  nextRound,
  partOf,
  SCENE_ENDS,
  SCENES,
  type Scene,
} from "./scenes.js";

function channelOf(scene: Scene, round: number, more: Partial<ChannelMetadata> = {}) {
  const { manifest } = createDefaultAdapters().find((one) => one.manifest.type === scene) ?? {};
  if (manifest === undefined) throw new Error(`no channel type ${scene}`);
  const channel = fakeChannel(manifest, ["a", "b"]);
  const close_reason = SCENE_ENDS[scene];
  return { ...channel, labels: labelsOf(round), state: "closed" as const, close_reason, ...more };
}

describe("scenes", () => {
  it("knows its channels by their label and type, and leaves those of others alone", () => {
    expect(partOf(channelOf("workflow", 3))).toEqual({ round: 3, scene: "workflow" });
    expect(partOf(channelOf("workflow", 3, { labels: {} }))).toBeNull();
    expect(partOf(channelOf("workflow", 3, { labels: { demo_round: "x" } }))).toBeNull();
  });

  it("takes a scene for played only when it closed for the reason of its type", () => {
    expect(SCENES.every((scene) => endedWell(channelOf(scene, 1)))).toBe(true);
    expect(endedWell(channelOf("discussion", 1, { close_reason: "loop_guard" }))).toBe(false);
    expect(endedWell(channelOf("discussion", 1, { state: "active" }))).toBe(false);
  });
});

describe("nextRound", () => {
  it("begins with the first, goes on with an unfinished one, and counts on from a finished one", () => {
    expect(nextRound([])).toBe(1);
    expect(nextRound([channelOf("consulting", 1), channelOf("conversation", 1)])).toBe(1);
    const first = SCENES.map((scene) => channelOf(scene, 1));
    expect(nextRound(first)).toBe(2);
    const open = channelOf("workflow", 2, { state: "active" });
    expect(nextRound([...first, ...SCENES.slice(0, 3).map((s) => channelOf(s, 2)), open])).toBe(2);
  });

  it("does not count a scene twice", () => {
    const twice = [...SCENES.slice(0, 3), "discussion" as const];
    expect(nextRound(twice.map((scene) => channelOf(scene, 1)))).toBe(1);
  });
});
