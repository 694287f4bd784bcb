import { createConsultingAdapter, createConversationAdapter } from "@colloquy/adapters";
import { type ChannelAdapter, NotFoundError, ProtocolError } from "@colloquy/protocol";
import { fakeChannel } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createAdapterRegistry } from "./adapter-table.js";

const conversation = createConversationAdapter();

function withManifest(part: Readonly<Record<string, unknown>>): ChannelAdapter {
  return { ...conversation, manifest: { ...conversation.manifest, ...part } } as ChannelAdapter;
}

describe("adapter registry", () => {
  it("finds by type and version, and replaces the same one", () => {
    const registry = createAdapterRegistry([conversation, createConsultingAdapter()]);
    expect(registry.size).toBe(2);
    expect(registry.get("conversation", 1)).toBe(conversation);
    expect(registry.get("conversation", 2)).toBeNull();
    const other = withManifest({});
    registry.register(other);
    expect(registry.size).toBe(2);
    expect(registry.get("conversation", 1)).toBe(other);
    registry.register(withManifest({ version: 2 }));
    expect(registry.size).toBe(3);
  });

  it("gives the adapter of a channel, or says which is missing", () => {
    const registry = createAdapterRegistry([conversation]);
    const channel = fakeChannel(conversation.manifest, ["a", "b"]);
    expect(registry.of(channel)).toBe(conversation);
    const strange = { ...channel, manifest: { ...channel.manifest, type: "auction" } };
    expect(() => registry.of(strange)).toThrow(NotFoundError);
    expect(() => registry.of(strange)).toThrow("no adapter for type 'auction' version 1");
  });

  it("refuses a manifest that is none, or contradicts itself", () => {
    const registry = createAdapterRegistry();
    for (const part of [
      { type: "" },
      { version: 0 },
      { participants: { min: 3, max: 2, roles: [] } },
      { expectations: [{ name: "x" }] },
    ]) {
      expect(() => registry.register(withManifest(part))).toThrow(ProtocolError);
    }
    expect(registry.size).toBe(0);
  });
});
