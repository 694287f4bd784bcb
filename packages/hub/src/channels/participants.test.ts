import { createDefaultAdapters } from "@colloquy/adapters";
import {
  AccessDeniedError,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_CHANNEL_INVITE_REJECT,
  EV_PARTICIPANT_JOINED,
  EV_PARTICIPANT_LAPSED,
  EV_PARTICIPANT_LEFT,
  EV_PARTICIPANT_REMOVED,
  ProtocolError,
  type Store,
  type StoreBatch,
  StoreError,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, createHubBench, faulty, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { assembleHub } from "../open-hub.js";

async function openBench(memory = createMemoryStore(), clock = createFakeClock()) {
  const commits: StoreBatch[] = [];
  const watched: Store = {
    ...memory,
    commit(batch) {
      commits.push(batch);
      return memory.commit(batch);
    },
  };
  const store = faulty(watched);
  const { hub, context } = await assembleHub({
    store,
    clock,
    ids: createFakeIds(),
    adapters: createDefaultAdapters(),
    limits: { inviteAckTimeoutMs: 200 },
  });
  return { hub, context, store, commits, memory, clock, ...createHubBench(hub) };
}

/** An open discussion of a and b, with c and d beside it. */
async function openTalk(knobs: Readonly<Record<string, unknown>> = {}) {
  const bench = await openBench();
  const [a, b] = [await bench.join("a"), await bench.join("b")];
  const c = await bench.join("c", { invites: "silent" });
  const d = await bench.join("d");
  const { channel_id: id } = await bench.open("discussion", a, [b], { knobs });
  const answer = async (agentId: string, eventType: string): Promise<void> => {
    const invite = (await bench.hub.readWal(id)).findLast(
      ({ event_type, audience }) =>
        event_type === EV_CHANNEL_INVITE && audience?.includes(agentId) === true,
    );
    await bench.hub.post({
      channel_id: id,
      sender_id: agentId,
      event_type: eventType,
      event_data: { channel_id: id },
      causation_id: invite?.envelope_id ?? null,
    });
  };
  const state = async () => (await bench.hub.adapterState(id)).state as Record<string, unknown>;
  const members = async () =>
    (await bench.hub.getChannel(id)).participants.map(({ agent_id }) => agent_id);
  return { ...bench, a, b, c, d, id, answer, state, members };
}

describe("participants fixed for life: a later invitation", () => {
  it("makes its invitee a participant from its acceptance on, in one commit with the notice", async () => {
    const { hub, commits, a, b, c, id, answer, state, members } = await openTalk();
    const invited = await hub.inviteParticipant(id, c, { by: a });
    expect(invited.invited).toEqual([{ agent_id: c, by: a, at: invited.invited?.[0]?.at }]);
    expect(await members()).toEqual([a, b]);
    expect((await state())["participant_order"]).toEqual([a, b]);
    const before = commits.length;
    await answer(c, EV_CHANNEL_INVITE_ACK);
    const batch = commits[before];
    expect(batch?.envelopes.map(({ event_type }) => event_type)).toEqual([
      EV_CHANNEL_INVITE_ACK,
      EV_PARTICIPANT_JOINED,
    ]);
    expect(batch?.channels[0]?.channel.participants.at(-1)).toMatchObject({
      agent_id: c,
      role: "participant",
      order: 2,
    });
    const joined = await hub.getChannel(id);
    expect(joined.invited).toBeUndefined();
    expect(joined.founders?.map(({ agent_id }) => agent_id)).toEqual([a, b]);
    expect((await state())["participant_order"]).toEqual([a, b, c]);
    expect((await hub.readWal(id)).at(-1)?.audience).toEqual([a, b, c]);
    expect(await hub.listChannels({ agent_id: c })).toHaveLength(1);
  });

  it("lapses when it is declined, and when nobody answers it in time", async () => {
    const { hub, clock, c, d, id, answer, events } = await openTalk();
    await hub.inviteParticipant(id, c);
    await answer(c, EV_CHANNEL_INVITE_REJECT);
    expect((await events(id)).slice(-2)).toEqual([EV_CHANNEL_INVITE_REJECT, EV_PARTICIPANT_LAPSED]);
    expect((await hub.getChannel(id)).invited).toBeUndefined();
    await hub.inviteParticipant(id, c);
    await clock.advanceAsync(199);
    expect((await hub.getChannel(id)).invited).toHaveLength(1);
    await clock.advanceAsync(1);
    await settle();
    const last = (await hub.readWal(id)).at(-1);
    expect(last).toMatchObject({
      event_type: EV_PARTICIPANT_LAPSED,
      event_data: { agent_id: c, reason: "invite_timeout" },
    });
    expect((await hub.getChannel(id)).invited).toBeUndefined();
    await expect(answer(c, EV_CHANNEL_INVITE_ACK)).rejects.toThrow(AccessDeniedError);
    await hub.inviteParticipant(id, d);
    await settle();
    expect((await hub.getChannel(id)).participants.at(-1)?.agent_id).toBe(d);
  });

  it("is the creator's to give, where the invitee's rule takes the type and the inviter", async () => {
    const { hub, a, b, c, d, id, join } = await openTalk();
    await expect(hub.inviteParticipant(id, c, { by: b })).rejects.toThrow(/only its creator may/);
    await expect(hub.inviteParticipant(id, c, { by: d })).rejects.toThrow(AccessDeniedError);
    const shy = await join("shy", { rule: { access: { inbound_from: ["b"] } } });
    await expect(hub.inviteParticipant(id, shy, { by: a })).rejects.toThrow(/inbound/);
    const picky = await join("picky", {
      rule: { access: { channel_types: { accept: ["consulting"] } } },
    });
    await expect(hub.inviteParticipant(id, picky, { by: a })).rejects.toThrow(/does not accept/);
    await expect(hub.inviteParticipant(id, b)).rejects.toThrow(/takes part .* already/);
    await expect(hub.inviteParticipant(id, "nobody")).rejects.toThrow(/not registered/);
    expect((await hub.getChannel(id)).invited).toBeUndefined();
  });

  it("is refused between two, and in a channel that is not active", async () => {
    const { hub, a, b, c, open, id } = await openTalk();
    for (const type of ["consulting", "conversation"]) {
      const { channel_id } = await open(type, a, [b]);
      await expect(hub.inviteParticipant(channel_id, c)).rejects.toThrow(ProtocolError);
    }
    await hub.closeChannel(id);
    await expect(hub.inviteParticipant(id, c)).rejects.toThrow(/is closed/);
  });
});

describe("participants fixed for life: going", () => {
  it("takes the turn on to the next in the order, with the going as its trigger", async () => {
    const { hub, a, b, d, id, say, state, members, events } = await openTalk();
    await hub.inviteParticipant(id, d);
    await settle();
    await say(id, a, "one");
    expect((await state())["expected_next_speaker"]).toBe(b);
    const left = await hub.leaveChannel(id, b, "lunch");
    expect(left.participants.map(({ agent_id }) => agent_id)).toEqual([a, d]);
    expect((await events(id)).at(-1)).toBe(EV_PARTICIPANT_LEFT);
    expect(await hub.pendingTurnsFor(b)).toEqual([]);
    const trigger = (await hub.readWal(id)).at(-1)?.envelope_id;
    expect(await hub.pendingTurnsFor(d)).toMatchObject([{ triggering_envelope_id: trigger }]);
    await expect(say(id, b, "late")).rejects.toThrow(AccessDeniedError);
    await say(id, d, "two", { causation_id: trigger ?? null });
    expect(await hub.pendingTurnsFor(a)).toHaveLength(1);
    expect(await members()).toEqual([a, d]);
    expect(await state()).not.toHaveProperty("turn_trigger_id");
  });

  it("closes a channel in which too few are left, in the same commit", async () => {
    const { hub, commits, a, b, id, open } = await openTalk();
    const { channel_id } = await open("consulting", a, [b]);
    const before = commits.length;
    expect(await hub.leaveChannel(channel_id, b)).toMatchObject({
      state: "closed",
      close_reason: "too_few_participants",
    });
    expect(commits[before]?.envelopes.map(({ event_type }) => event_type)).toEqual([
      EV_PARTICIPANT_LEFT,
      "ag2.channel.closed",
    ]);
    expect(await hub.removeParticipant(id, b, { by: a, reason: "rude" })).toMatchObject({
      state: "closed",
      close_reason: "too_few_participants",
    });
    const removal = (await hub.readWal(id)).at(-2);
    expect(removal).toMatchObject({
      event_type: EV_PARTICIPANT_REMOVED,
      audience: [a, b],
      event_data: { agent_id: b, by: a, reason: "rude", was_hidden: false },
    });
    expect((await hub.readWal(id)).at(-1)?.audience).toEqual([a]);
  });

  it("hides and shows: a hidden one is not addressed, may not speak and still reads", async () => {
    const { hub, a, b, d, id, say, state } = await openTalk();
    await hub.inviteParticipant(id, d);
    await settle();
    await say(id, a, "one");
    const hidden = await hub.hideParticipant(id, b, { reason: "slow" });
    expect(hidden.participants.map(({ hidden: flag }) => flag ?? false)).toEqual([
      false,
      true,
      false,
    ]);
    expect((await state())["expected_next_speaker"]).toBe(d);
    await expect(say(id, b, "psst")).rejects.toThrow(/is hidden/);
    expect(await hub.canSend(id, b)).toBe(false);
    const posted = await say(id, d, "two", { audience: [a, b] });
    expect(posted.notes).toEqual([expect.stringMatching(/is hidden in this channel/)]);
    await say(id, a, "three");
    const lines = hub.ledger(id, (await hub.readWal(id)).at(-1)?.envelope_id ?? "");
    expect(lines.map(({ recipient_id }) => recipient_id)).toEqual([d]);
    expect((await hub.hideParticipant(id, b)).participants).toEqual(hidden.participants);
    const shown = await hub.showParticipant(id, b);
    expect(shown.participants.some(({ hidden: flag }) => flag === true)).toBe(false);
    await say(id, d, "four");
    await say(id, a, "five");
    expect((await state())["expected_next_speaker"]).toBe(b);
    expect(await state()).not.toHaveProperty("hidden_participants");
    await say(id, b, "six");
  });

  it("of an agent that unregisters takes it out of its channels, and declines its invitations", async () => {
    const { hub, a, b, c, d, id, members } = await openTalk();
    await hub.inviteParticipant(id, d);
    await settle();
    await hub.inviteParticipant(id, c);
    await hub.unregister(b);
    await hub.unregister(c);
    expect(await members()).toEqual([a, d]);
    const reasons = (await hub.readWal(id)).slice(-2).map(({ event_data }) => event_data["reason"]);
    expect(reasons).toEqual(["unregistered", "unregistered"]);
    expect((await hub.getChannel(id)).invited).toBeUndefined();
  });

  it("leaves everything as it was when its commit fails", async () => {
    const { hub, store, a, b, c, id, members, state, answer } = await openTalk();
    await hub.inviteParticipant(id, c);
    await answer(c, EV_CHANNEL_INVITE_ACK);
    store.failNext("commit");
    await expect(hub.removeParticipant(id, b)).rejects.toThrow(StoreError);
    expect(await members()).toEqual([a, b, c]);
    expect((await state())["participant_order"]).toEqual([a, b, c]);
    expect((await hub.removeParticipant(id, b)).participants).toHaveLength(2);
  });
});
