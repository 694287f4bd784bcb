import {
  AccessDeniedError,
  createEnvelope,
  createPassport,
  createResume,
  createRule,
  type Envelope,
  EV_TEXT,
  InboxFullError,
  type RuleInput,
} from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import type { Party, Verdict } from "./arbiter.js";
import { decide } from "./decide.js";
import { highWaterOf } from "./inbox-gate.js";
import { createRuleArbiter } from "./rule-arbiter.js";
import { judgeTaskCap } from "./task-cap.js";

function party(name: string, rule: RuleInput = {}): Party {
  const passport = createPassport({ name, agent_id: `id-of-${name}` });
  return { id: `id-of-${name}`, passport, resume: createResume(), rule: createRule(rule) };
}

function envelope(depth = 0): Envelope {
  const text = { channel_id: "c", event_type: EV_TEXT, event_data: { text: "hi" } };
  return createEnvelope({ ...text, depth });
}

const manifest = {
  ...{ type: "conversation", version: 1, participants: { min: 2, max: 2, roles: [] } },
  ...{ knobs_schema: {}, default_view_policy: "full_transcript", expectations: [] },
};
const arbiter = createRuleArbiter();
const reasonOf = (verdict: Verdict) => (verdict.allow ? null : verdict.reason);

describe("authorizeSend", () => {
  const send = (sender: Party, recipients: readonly Party[], depth = 0) =>
    reasonOf(arbiter.authorizeSend({ envelope: envelope(depth), sender, recipients }));

  it("holds outbound globs over the names of an explicit audience", () => {
    const ada = party("ada", { access: { outbound_to: ["cat", "bot-*"] } });
    expect(send(ada, [party("bob")])).toBe("sender 'ada' not permitted to send to 'bob'");
    expect(send(ada, [party("cat"), party("user-1")])).toContain("'user-1'");
    expect(send(ada, [party("cat"), party("bot-1")])).toBeNull();
    expect(send(ada, [party("CAT")])).not.toBeNull();
    expect(send(ada, [])).toBeNull();
  });

  it("holds delegation_depth, and 0 switches it off", () => {
    const ada = party("ada", { limits: { delegation_depth: 3 } });
    expect(send(ada, [], 3)).toBeNull();
    expect(send(ada, [], 4)).toBe("sender 'ada' exceeded delegation_depth (4 > 3)");
    expect(send(party("bob", { limits: { delegation_depth: 0 } }), [], 99_999)).toBeNull();
  });
});

describe("authorizeInbox", () => {
  const inbox = (pending: number, limits: RuleInput["limits"]) =>
    arbiter.authorizeInbox({ envelope: envelope(), recipient: party("bob", { limits }), pending });

  it("refuses with InboxFullError from max_pending on", () => {
    const limits = { inbox: { max_pending: 2 } };
    expect(inbox(1, limits).allow).toBe(true);
    expect(() => decide(inbox(2, limits))).toThrow(InboxFullError);
    expect(() => decide(inbox(3, limits))).toThrow(
      "recipient 'id-of-bob' inbox at capacity (3 >= 2)",
    );
  });

  it("refuses nobody where the rule lets delivery drop one instead", () => {
    for (const overflow of ["drop_oldest", "drop_newest"] as const) {
      expect(inbox(3, { inbox: { max_pending: 2, overflow } }).allow).toBe(true);
    }
  });

  it("has no limit when max_pending is 0", () => {
    expect(inbox(1_000_000, { inbox: { max_pending: 0 } }).allow).toBe(true);
  });

  it("raises its warning at high_water, by default at four fifths, and never when that is off", () => {
    const mark = (inboxRule: NonNullable<RuleInput["limits"]>["inbox"]) =>
      highWaterOf(party("bob", { limits: { inbox: inboxRule } }).rule);
    expect(mark({ max_pending: 10, high_water: 3 })).toBe(3);
    expect(mark({ max_pending: 10 })).toBe(8);
    expect(mark({ max_pending: 1 })).toBe(1);
    expect(mark({ max_pending: 10, high_water: 0 })).toBeNull();
    expect(mark({ max_pending: 0 })).toBeNull();
    expect(mark({})).toBe(800);
  });
});

describe("authorizeDispatch", () => {
  it("holds the recipient's inbound globs over the sender's name", () => {
    const bob = party("bob", { access: { inbound_from: ["ada"] } });
    const request = (sender: Party) => ({ envelope: envelope(), sender, recipient: bob });
    expect(reasonOf(arbiter.authorizeDispatch(request(party("ada"))))).toBeNull();
    expect(reasonOf(arbiter.authorizeDispatch(request(party("eve"))))).toBe(
      "recipient 'bob' blocks inbound from 'eve'",
    );
    const deaf = party("deaf", { access: { inbound_from: [] } });
    expect(arbiter.authorizeDispatch({ ...request(bob), recipient: deaf }).allow).toBe(false);
  });
});

describe("authorizeChannelOpen", () => {
  const open = (creator: Party, invitees: readonly Party[], openChannels = 0) =>
    reasonOf(arbiter.authorizeChannelOpen({ manifest, creator, invitees, openChannels }));

  it("asks every invitee first, then the creator's cap", () => {
    const ada = party("ada", { limits: { max_concurrent_channels: 2 } });
    const shy = party("shy", { access: { inbound_from: ["bob"] } });
    expect(open(ada, [party("cat"), shy], 2)).toBe(
      "invitee 'shy' does not accept inbound from 'ada'",
    );
    expect(open(ada, [party("cat")], 2)).toBe(
      "creator 'id-of-ada' exceeded max_concurrent_channels (2 >= 2)",
    );
    expect(open(ada, [party("cat")], 1)).toBeNull();
    expect(open(party("free"), [party("cat")], 5_000)).toBeNull();
  });
});

describe("channel types", () => {
  const open = (creator: Party, invitee: Party) =>
    reasonOf(
      arbiter.authorizeChannelOpen({ manifest, creator, invitees: [invitee], openChannels: 0 }),
    );
  const types = (channel_types: { initiate?: string[]; accept?: string[] }) => ({
    access: { channel_types },
  });

  it("are held for who opens and for who is invited, by glob", () => {
    const bob = party("bob");
    expect(open(party("ada", types({ initiate: ["work*"] })), bob)).toBe(
      "creator 'ada' may not open channels of type 'conversation'",
    );
    expect(open(party("ada", types({ initiate: ["conv*"], accept: [] })), bob)).toBeNull();
    expect(open(bob, party("ada", types({ accept: ["workflow"] })))).toBe(
      "invitee 'ada' does not accept channels of type 'conversation'",
    );
    expect(open(bob, party("ada", types({ accept: ["conversation"], initiate: [] })))).toBeNull();
  });
});

describe("the arbiter and the caps", () => {
  it("lets everybody register and lets a program replace a gate", () => {
    const { passport, resume, rule } = party("ada");
    expect(arbiter.authorizeRegister({ passport, resume, rule }).allow).toBe(true);
    const own = createRuleArbiter({ authorizeSend: () => ({ allow: false, reason: "closed" }) });
    const request = { envelope: envelope(), sender: party("ada"), recipients: [] };
    expect(() => decide(own.authorizeSend(request))).toThrow(new AccessDeniedError("closed"));
    const deaf = { ...request, recipient: party("bob", { access: { inbound_from: [] } }) };
    expect(own.authorizeDispatch(deaf)).toEqual(arbiter.authorizeDispatch(deaf));
    expect(own.authorizeDispatch(deaf).allow).toBe(false);
  });

  it("holds max_concurrent_tasks, and 0 switches it off", () => {
    const ada = party("ada", { limits: { max_concurrent_tasks: 1 } });
    expect(judgeTaskCap({ owner: ada, openTasks: 0 }).allow).toBe(true);
    expect(reasonOf(judgeTaskCap({ owner: ada, openTasks: 1 }))).toBe(
      "owner 'id-of-ada' exceeded max_concurrent_tasks (1 >= 1)",
    );
    expect(judgeTaskCap({ owner: party("bob"), openTasks: 9 }).allow).toBe(true);
  });
});
