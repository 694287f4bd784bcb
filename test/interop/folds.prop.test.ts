import {
  agentTarget,
  always,
  contextEquals,
  createDefaultAdapters,
  fromSpeaker,
  revertToInitiator,
  roundRobinTarget,
  stayTarget,
  terminateTarget,
  toolCalled,
  transition,
} from "@colloquy/adapters";
import {
  type ChannelMetadata,
  type Envelope,
  EV_TURN_REASSIGNED,
  PARTICIPANT_EVENTS,
} from "@colloquy/protocol";
import { arbitraryEnvelope, fakeChannel } from "@colloquy/testkit";
import fc from "fast-check";
import { describe, it } from "vitest";
import { expectSameFolds } from "./harness/folds.js";
import { startMeeting } from "./harness/meeting.js";
import type { PythonStates } from "./harness/python-peer.js";
import { jsonOf } from "./harness/tool-round.js";

const IDS = ["agent-a", "agent-b", "agent-c"];
const RUNS = 150;

/** Values for `context_equals`. Python holds 1 and True for equal, so neither is among them. */
const VALUES = [null, "", "x", 7, [], { a: ["x", { b: null }] }];

const target = fc.constantFrom(
  ...IDS.map((id) => agentTarget(id)),
  ...[roundRobinTarget(), stayTarget(), revertToInitiator(), terminateTarget("over")],
);
const condition = fc.oneof(
  fc.constantFrom(always(), toolCalled("t"), toolCalled("u"), ...IDS.map((id) => fromSpeaker(id))),
  fc
    .tuple(fc.constantFrom("route", "stage", "constructor", ""), fc.constantFrom(...VALUES))
    .map(([key, value]) => contextEquals(key, value)),
);
const graph = fc.record({
  initial_speaker: fc.constantFrom(...IDS),
  transitions: fc.array(
    fc
      .tuple(condition, target, fc.integer({ min: -2, max: 2 }))
      .map(([when, then, priority]) => transition(when, then, priority)),
    { maxLength: 6 },
  ),
  default_target: target,
  max_turns: fc.option(fc.integer({ min: 1, max: 9 }), { nil: null }),
});

/**
 * What a hub admits and AG2 has a name for. Handoffs go to participants, and variables stand under
 * `context_updates` alone: so the hub makes every packet before it is stored.
 */
function isShared({ sender_id, event_type, event_data }: Envelope): boolean {
  if (!IDS.includes(sender_id)) return false;
  if (event_type === EV_TURN_REASSIGNED || PARTICIPANT_EVENTS.has(event_type)) return false;
  if (Object.hasOwn(event_data, "context")) return false;
  const routing = event_data["routing"] as { target?: string | null } | null | undefined;
  const to = routing?.target ?? "";
  return to === "" || IDS.includes(to);
}

const channelOf = (type: string, knobs: Record<string, unknown> = {}): ChannelMetadata => {
  const adapter = createDefaultAdapters().find(({ manifest }) => manifest.type === type);
  if (adapter === undefined) throw new Error(`no adapter for ${type}`);
  const pair = type === "consulting" || type === "conversation";
  return fakeChannel(adapter.manifest, pair ? IDS.slice(0, 2) : IDS, knobs);
};

const channels = fc.oneof(
  fc.constantFrom("consulting", "conversation", "discussion").map((type) => channelOf(type)),
  fc
    .record({
      graph: graph.map(jsonOf),
      context_vars: fc.constantFrom({}, { route: "x", stage: 7 }),
    })
    .map((knobs) => channelOf("workflow", knobs)),
);

/** A channel, and a log of it as the hub would give it out. */
const logs = channels.chain((metadata) =>
  fc
    .array(arbitraryEnvelope(metadata).filter(isShared), { maxLength: 25 })
    .map((wal) => ({ metadata, wal })),
);

describe("folds of both languages", () => {
  it("are the same at every position of any log of the four types", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    await fc.assert(
      fc.asyncProperty(logs, async ({ metadata, wal }) => {
        const theirs = (await python.command("fold_log", { metadata, wal })) as PythonStates;
        expectSameFolds(metadata, wal, theirs);
      }),
      { numRuns: RUNS },
    );
  });
});
