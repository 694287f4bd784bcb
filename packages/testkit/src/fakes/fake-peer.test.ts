import { createEnvelope, EV_TEXT } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { createFakePeer } from "./fake-peer.js";

describe("createFakePeer", () => {
  const envelope = createEnvelope({
    envelope_id: "e1",
    channel_id: "c",
    sender_id: "a",
    event_type: EV_TEXT,
    event_data: { text: "x" },
  });
  const delivery = { recipient_id: "b", envelope, text: "{}", position: 1, attempt: 1 };

  it("keeps frames and notifies in order until it is closed", () => {
    const peer = createFakePeer({ profile: "ag2" });
    peer.send({ kind: "pong" });
    peer.notify(delivery);
    expect(peer.profile).toBe("ag2");
    expect(peer.steps.map((step) => step.kind)).toEqual(["frame", "notify"]);
    expect(peer.frames).toEqual([{ kind: "pong" }]);
    expect(peer.notifiedIds).toEqual(["e1"]);
    peer.close(4008, "slow reader");
    peer.close(1000, "again");
    peer.send({ kind: "pong" });
    expect(peer.closed).toEqual({ code: 4008, reason: "slow reader" });
    expect(peer.frames).toHaveLength(1);
    peer.clear();
    expect(peer.steps).toEqual([]);
  });

  it("throws from notify when told to", () => {
    const peer = createFakePeer();
    peer.failNotify = new Error("cut");
    expect(() => peer.notify(delivery)).toThrow("cut");
    expect(peer.notifies).toEqual([]);
  });
});
