import { EV_PACKET, EV_TEXT } from "@colloquy/protocol";
import { fakeChannel, fakeEnvelope } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { workflowManifest } from "./manifest.js";
import { preparePacket } from "./prepare-packet.js";

const channel = fakeChannel(workflowManifest, ["id-a", "id-b"]);
const prepare = (event_data: Record<string, unknown>, event_type = EV_PACKET) => {
  const envelope = fakeEnvelope(channel, "id-a", { event_type, event_data });
  return preparePacket(channel, envelope, { resolveName: () => "id-b" }).event_data;
};

describe("preparePacket", () => {
  it("folds what a packet has under `context` into its `context_updates`, so that every fold reads it", () => {
    expect(prepare({ body: "x", context: { stage: 2 } })).toEqual({
      body: "x",
      context_updates: { set: { stage: 2 } },
    });
    const context_updates = { set: { stage: 1, kept: true }, delete: ["old"] };
    expect(prepare({ context: { stage: 2 }, context_updates })).toEqual({
      context_updates: { set: { stage: 2, kept: true }, delete: ["old"] },
    });
    expect(prepare({ context: { stage: 2 }, context_updates: null })).toEqual({
      context_updates: { set: { stage: 2 } },
    });
  });

  it("resolves the handoff of the same packet", () => {
    const routing = { kind: "handoff", target: "bob" };
    expect(prepare({ routing, context: { stage: 2 } })).toEqual({
      routing: { kind: "handoff", target: "id-b" },
      context_updates: { set: { stage: 2 } },
    });
  });

  it("leaves alone what says nothing there, or says it wrongly, for the checks that follow", () => {
    for (const event_data of [
      { body: "x" },
      { body: "x", context: null },
      { body: "x", context: "stage" },
      { context: { stage: 2 }, context_updates: "none" },
    ]) {
      expect(prepare(event_data)).toBe(event_data);
    }
    const text = { text: "x", context: { stage: 2 } };
    expect(prepare(text, EV_TEXT)).toBe(text);
  });
});
