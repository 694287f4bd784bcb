import type { ChannelMetadata } from "@colloquy/protocol";
import { freezeDeep } from "../core/freeze.js";

const NO_IDS = freezeDeep<never[]>([]);
const NO_ENTRIES = freezeDeep<Record<string, never>>({});

/**
 * A channel's metadata, frozen, with one shared object wherever it holds nothing: most channels have
 * no knobs, no labels and nobody who has yet to answer.
 */
export function leanMetadata(metadata: ChannelMetadata): ChannelMetadata {
  const { knobs, labels, pending_acks, rejected_by } = metadata;
  return freezeDeep({
    ...metadata,
    knobs: Object.keys(knobs).length === 0 ? NO_ENTRIES : knobs,
    labels: Object.keys(labels).length === 0 ? NO_ENTRIES : labels,
    pending_acks: pending_acks.length === 0 ? NO_IDS : pending_acks,
    rejected_by: rejected_by.length === 0 ? NO_IDS : rejected_by,
  });
}
