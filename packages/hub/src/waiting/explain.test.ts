import { type ChannelMetadata, channelManifestSchema, WAITING_CAUSES } from "@colloquy/protocol";
import { fakeChannel } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import type { Standing } from "../delivery/envelope-standing.js";
import { explain } from "./explain.js";
import type { AwaitedFacts, WaitingFacts } from "./facts.js";

const standing: Standing = {
  ...{ agentId: "b", envelopeId: "e", position: 3, state: "dead", since: 5, queuedAt: 4 },
  ...{ attempt: 1, reason: "why not", retryAt: null },
};
const bob: AwaitedFacts = {
  ...{ agent_id: "b", name: "bob", isRegistered: false, kind: "human", isOnline: false, since: 1 },
  standing,
};
const manifest = channelManifestSchema.parse({ type: "discussion" });
const active: ChannelMetadata = fakeChannel(manifest, ["a", "b"]);
const pending: ChannelMetadata = { ...active, state: "pending", pending_acks: ["b"] };

/** Everything that can be wrong is wrong. */
const worst: WaitingFacts = {
  channelId: "c",
  metadata: null,
  hub: "draining",
  storeFault: "disk full",
  quarantine: "fold failed",
  uncommitted: 2,
  inviteAckTimeoutMs: 30_000,
  closingTimeoutMs: 30_000,
  silent: [{ agent_id: "b", name: "bob" }],
  neededAcks: 1,
  unsettled: [{ agent_id: "b", name: "bob" }],
  expectation: {
    expectation: { name: "reply_within", on_violation: "warn", params: {}, applies_to: null },
    violator_ids: ["b"],
    since: "2026-01-01T00:00:00.000000+00:00",
    position: 3,
    due_at: "2026-01-01T00:10:00.000000+00:00",
  },
  violators: [{ agent_id: "b", name: "bob" }],
  active: {
    typeFault: "it threw",
    isExpected: true,
    awaited: [bob],
    fullInboxes: [{ agent_id: "a", name: "alice", pending: 4 }],
  },
};

const turn = (awaited: readonly AwaitedFacts[], full = true): Partial<WaitingFacts> => ({
  active: {
    typeFault: null,
    isExpected: true,
    awaited,
    fullInboxes: full ? (worst.active?.fullInboxes ?? []) : [],
  },
});
const stands = (state: Standing["state"], fields: Partial<AwaitedFacts> = {}): AwaitedFacts => ({
  ...{ ...bob, isRegistered: true, standing: { ...standing, state } },
  ...fields,
});

/** Mends one thing after another, in the order in which they count. */
const STEPS: readonly Partial<WaitingFacts>[] = [
  { storeFault: null, quarantine: null },
  { ...worst, metadata: { ...active, state: "closed" } },
  { metadata: pending },
  { hub: "running" },
  { quarantine: null },
  { storeFault: null },
  { uncommitted: 0 },
  { metadata: { ...pending, required_acks: 1 } },
  { metadata: { ...active, state: "closing" } },
  { metadata: active },
  turn([bob]),
  turn([stands("dead")]),
  turn([stands("refused")]),
  turn([stands("failed")]),
  turn([stands("delayed")]),
  turn([stands("unsent")]),
  turn([stands("unsent", { isOnline: true })]),
  turn([stands("unsent", { isOnline: true })], false),
  turn([stands("taken_up", { isOnline: true })], false),
  turn([stands("taken_up", { isOnline: true, kind: "agent" })], false),
  turn([stands("settled", { isOnline: true, kind: "agent" })], false),
  turn([], false),
  { expectation: null, violators: [] },
];

describe("explain", () => {
  it("names the first cause that holds, in the order of the list", () => {
    let facts = worst;
    const causes = STEPS.map((step) => {
      facts = { ...facts, ...step };
      return explain(facts, { reasons: true }).cause;
    });
    expect(causes).toEqual(WAITING_CAUSES);
  });

  it("is pure, and tells what others have said only when it may", () => {
    const facts = { ...worst, ...turn([stands("dead")]), metadata: active };
    const mended = { ...facts, hub: "running", quarantine: null, uncommitted: 0 } as const;
    const told = (storeFault: string | null, reasons: boolean) =>
      explain({ ...mended, storeFault }, { reasons }).sentence;
    expect(told("disk full", true)).toBe(
      "The store has failed and has not worked since (disk full).",
    );
    expect(told("disk full", false)).toBe("The store has failed and has not worked since.");
    expect(told(null, true)).toContain("bob, for whom the envelope was given up (why not);");
    expect(told(null, false)).not.toContain("why not");
    expect(explain(mended, { reasons: true })).toEqual(explain(mended, { reasons: true }));
  });

  it("takes those together for whom the same cause holds, since the first of them", () => {
    const people = ["ada", "bob", "cy", "dot", "eve", "fay"].map((name, index) =>
      stands("taken_up", {
        ...{ agent_id: name, name, kind: "agent", isOnline: index !== 1, since: index },
        standing: { ...standing, state: "taken_up", since: 10 - index },
      }),
    );
    const mended = { ...worst, metadata: active, hub: "running" as const, quarantine: null };
    const facts = { ...mended, storeFault: null, uncommitted: 0, expectation: null };
    const offline = explain({ ...facts, ...turn(people, false) }, { reasons: true });
    expect(offline.sentence).toBe(
      "Waiting since 1970-01-01T00:00:00.001000+00:00 for bob, who is offline.",
    );
    const online = people.map((person) => ({ ...person, isOnline: true }));
    const working = explain({ ...facts, ...turn(online, false) }, { reasons: true });
    expect(working.sentence).toBe(
      "Waiting since 1970-01-01T00:00:00.005000+00:00 for ada, bob, cy, dot, eve and 1 more, who have taken the turn up and not answered.",
    );
    expect(working.awaited).toHaveLength(6);
  });
});
