import type { ChannelState, Snapshot, StoreBatch } from "@colloquy/protocol";
import fc from "fast-check";
import { batchOf } from "../../fakes/stored-chain.js";
import type { PlainModel } from "./plain-model.js";

/** A batch in the abstract: numbers stand for whatever exists when it is made. */
export interface BatchPlan {
  readonly openings: number;
  /** For each envelope, which channel it is for. */
  readonly posts: readonly number[];
  readonly changes: readonly { readonly channel: number; readonly state: ChannelState }[];
  readonly records: readonly { readonly id: string; readonly value: string | null }[];
  readonly deliveries: readonly {
    readonly channel: number;
    readonly agent: string;
    readonly settled: boolean;
  }[];
  readonly audits: number;
  readonly snapshots: readonly number[];
}

const AGENTS = ["alice", "bob", "carol"] as const;
const agent = fc.constantFrom(...AGENTS);
const state = fc.constantFrom<ChannelState>("pending", "active", "closing", "closed", "expired");

/** Plans of batches; empty ones and ones with only a lazy part among them. */
export const arbitraryPlan: fc.Arbitrary<BatchPlan> = fc.record({
  openings: fc.integer({ min: 0, max: 2 }),
  posts: fc.array(fc.nat(9), { maxLength: 12 }),
  changes: fc.array(fc.record({ channel: fc.nat(9), state }), { maxLength: 2 }),
  records: fc.array(
    fc.record({ id: agent, value: fc.option(fc.string({ unit: "grapheme" }), { nil: null }) }),
    { maxLength: 3 },
  ),
  deliveries: fc.array(fc.record({ channel: fc.nat(9), agent, settled: fc.boolean() }), {
    maxLength: 3,
  }),
  audits: fc.nat(2),
  snapshots: fc.array(fc.nat(9), { maxLength: 2 }),
});

/** Makes the batch; advances the model's maker but nothing else of the model. */
export function realise(plan: BatchPlan, model: PlainModel): StoreBatch {
  const { make } = model;
  const opened = Array.from({ length: plan.openings }, (_, index) =>
    make.channel({ members: AGENTS.slice(index % 2) }),
  );
  const all = [...model.channels.values(), ...opened];
  const pick = (number: number) =>
    all.length === 0 ? [] : all.slice(number % all.length).slice(0, 1);
  const posts = plan.posts.flatMap((number) =>
    pick(number).map((channel) => make.next(channel.channel_id)),
  );
  const changed = plan.changes.flatMap(({ channel, state: next }) =>
    pick(channel).map((metadata) => ({ ...metadata, state: next })),
  );
  const kind = (id: string) => (id === "alice" ? "skill" : "agent");
  return batchOf({
    channels: [...opened, ...changed],
    envelopes: posts,
    records: plan.records.map(({ id, value }) => ({ kind: kind(id), id, value })),
    lazy: {
      deliveries: plan.deliveries.flatMap(({ channel, agent: agent_id, settled }) =>
        pick(channel).map(({ channel_id }) => {
          const { position } = make.head(channel_id);
          return {
            agent_id,
            channel_id,
            cursor: `${position}`,
            floor: position,
            above: [position + 2],
            settled,
          };
        }),
      ),
      audit: Array.from({ length: plan.audits }, (_, index) => ({
        at: "2026",
        kind: "step",
        number: model.audit.length + index,
      })),
      snapshots: plan.snapshots.flatMap((number) =>
        pick(number).flatMap(({ channel_id }): Snapshot[] => {
          const head = make.head(channel_id);
          return head.position === 0
            ? []
            : [{ channel_id, ...head, state: `{"at":${head.position}}` }];
        }),
      ),
    },
  });
}
