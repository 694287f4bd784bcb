import { createConversationAdapter } from "@colloquy/adapters";
import { fakeChannel } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { leanMetadata } from "./lean-metadata.js";

const { manifest } = createConversationAdapter();

it("keeps one object for all channels wherever a channel holds nothing, and keeps what it holds", () => {
  const bare = () =>
    leanMetadata({
      ...fakeChannel(manifest, ["a", "b"]),
      ...{ knobs: {}, labels: {}, pending_acks: [], rejected_by: [] },
    });
  const [one, other] = [bare(), bare()];
  expect(one.knobs).toBe(other.knobs);
  expect(one.labels).toBe(other.labels);
  expect(one.pending_acks).toBe(other.pending_acks);
  expect(one.rejected_by).toBe(other.rejected_by);
  expect(one).toMatchObject({ knobs: {}, labels: {}, pending_acks: [], rejected_by: [] });

  const held = {
    ...{ knobs: { expectations: [] }, labels: { intent: "ask" } },
    ...{ pending_acks: ["b"], rejected_by: ["c"] },
  };
  const full = leanMetadata({ ...fakeChannel(manifest, ["a", "b"]), ...held });
  expect(full).toMatchObject(held);
  expect(Object.isFrozen(full.knobs)).toBe(true);
});
