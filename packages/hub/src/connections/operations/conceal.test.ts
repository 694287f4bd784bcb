import { createEnvelope, EV_PACKET, EV_TEXT } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { concealEnvelope } from "./conceal.js";

const envelope = (event_type: string, event_data: Record<string, unknown>) =>
  createEnvelope({ channel_id: "c", sender_id: "a", audience: ["b"], event_type, event_data });

describe("concealEnvelope", () => {
  it("keeps everything but the content", () => {
    const text = envelope(EV_TEXT, { text: "secret", notes: ["secret"] });
    expect(concealEnvelope(text)).toEqual({ ...text, event_data: { text: "" } });
    const custom = envelope("acme.offer", { price: "secret" });
    expect(concealEnvelope(custom)).toEqual({ ...custom, event_data: {} });
  });

  it("keeps of a packet only where it goes", () => {
    const routing = { kind: "handoff", tool: "handoff", target: "c", reason: "secret" };
    const context_updates = { set: { code: "secret" } };
    const packet = envelope(EV_PACKET, { routing, context_updates, body: "secret" });
    expect(concealEnvelope(packet).event_data).toEqual({
      routing: { kind: "handoff", tool: "handoff", target: "c" },
      context_updates: {},
      body: "",
    });
    expect(concealEnvelope(envelope(EV_PACKET, { body: "secret" })).event_data).toEqual({
      body: "",
    });
    const odd = envelope(EV_PACKET, { routing: "secret" });
    expect(JSON.stringify(concealEnvelope(odd).event_data)).not.toContain("secret");
  });

  it("leaves the events of the channel's life as they are", () => {
    const opened = envelope("ag2.channel.opened", { channel_id: "c" });
    expect(concealEnvelope(opened)).toBe(opened);
  });
});
