import type { AgentClient, HumanClient, ParticipantClient } from "@colloquy/client";
import { createScriptedAgent } from "@colloquy/client";
import { createApiKeyAuth } from "@colloquy/hub";
import {
  AccessDeniedError,
  AuthError,
  type EnvelopeDraft,
  EV_TEXT,
  type HubFrame,
  InboxFullError,
  InvalidInputError,
  ProtocolError,
} from "@colloquy/protocol";
import { faultyLink, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { connectBare } from "../fixtures/bare-link.js";
import {
  SURROUNDINGS,
  startTestNetwork,
  type TestNetwork,
  TRANSPORTS,
} from "../fixtures/test-network.js";

/** Reconnects at once, so that a test need not wait. */
const AT_ONCE = { baseMs: 1, maxMs: 1 };

/** Texts that a person hears, in order. */
async function hearer(network: TestNetwork, name: string) {
  const heard: unknown[] = [];
  const human = await network.human(name, {
    onEnvelope({ event_type, event_data }) {
      if (event_type === EV_TEXT) heard.push(event_data["text"]);
    },
  });
  return { human, heard };
}

describe.each(SURROUNDINGS)("a send whose answer is lost, $transport, $store", (surroundings) => {
  it("F-002 is repeated under its key, stands on the log once and is delivered once", async () => {
    await using network = await startTestNetwork({
      ...surroundings,
      client: { reconnect: AT_ONCE },
    });
    const link = faultyLink(network.link());
    const ada = await network.ackOnly("ada", { on: network.connect({ link }) });
    const { human: hugo, heard } = await hearer(network, "hugo");
    const { channelId } = await ada.open({ type: "conversation", target: hugo.name });
    const isPosted = (frame: { kind: string }) =>
      frame.kind === "response" && JSON.stringify(frame).includes('"position"');
    const draft = (key: string): EnvelopeDraft => ({
      ...{ channel_id: channelId, event_type: EV_TEXT, event_data: { text: key } },
      idempotency_key: key,
    });

    for (const [key, interrupt] of [
      ["the link broke", async () => link.cut()],
      ["the hub restarted", () => network.reopen()],
    ] as const) {
      link.drop("to_client", 1, isPosted);
      const posting = ada.post(draft(key));
      await until(async () => (await network.texts(channelId)).includes(key));
      await interrupt();
      const posted = await posting;
      const wal = await network.wal(channelId);
      const stored = wal.findIndex(({ idempotency_key }) => idempotency_key === key);
      expect(posted).toMatchObject({
        ...{ envelope_id: wal[stored]?.envelope_id, position: stored + 1, duplicate: true },
      });
      expect(await ada.post(draft(key))).toEqual(posted);
    }
    await ada.send({ channel_id: channelId, event_type: EV_TEXT, event_data: { text: "end" } });
    await until(() => heard.includes("end"));
    expect(heard).toEqual(["the link broke", "the hub restarted", "end"]);
    expect(await network.texts(channelId)).toEqual(heard);
  });
});

/** All that a refused send must leave as it was. */
async function shownOf(network: TestNetwork, channelId: string, readers: HumanClient[]) {
  const { hub } = network;
  const wal = await hub.readWal(channelId);
  const trigger = wal.findLast(({ event_type }) => event_type === EV_TEXT)?.envelope_id ?? "";
  const facts = { channel_id: channelId, envelope_id: trigger, last: null };
  return {
    wal,
    state: await hub.adapterState(channelId),
    pending: hub.health().pending_inbox_total,
    inboxes: readers.map((reader) => reader.channelInbox(channelId).peek()),
    views: await Promise.all(
      readers.map(async ({ agentId }) => {
        const { slice } = await hub.prepareTurn({ ...facts, agent_id: agentId });
        return slice;
      }),
    ),
  };
}

describe.each(SURROUNDINGS)("a send that fails late, $transport, $store", (surroundings) => {
  it("F-004 leaves everything as it was, and no hole behind", async () => {
    await using network = await startTestNetwork(surroundings);
    const ann = await network.human("ann");
    const rule = { access: { outbound_to: ["ann"] } };
    const ben = await network.human("ben", { rule });
    const full = await network.ackOnly("full", { rule: { limits: { inbox: { max_pending: 1 } } } });
    const options = { type: "discussion", target: ["ben", "full"] };
    const { channelId, send } = await ann.open(options);
    const opened = (await network.wal(channelId)).at(-1)?.envelope_id ?? "";
    await until(() => network.hub.inboxCursor(full.agentId, channelId) === opened);
    await full.hub.close();
    await send("to everybody");
    await until(() => ben.channelInbox(channelId).peek().length > 1);
    await until(() => network.hub.health().pending_inbox_total === 1);

    const text = { channel_id: channelId, event_type: EV_TEXT, event_data: { text: "never" } };
    const refusals: [ParticipantClient, EnvelopeDraft, new (...args: never[]) => Error][] = [
      [ann, { ...text, audience: [ben.agentId] }, ProtocolError],
      [ben, { ...text, audience: [full.agentId] }, AccessDeniedError],
      [ann, { ...text, event_type: "app.note" }, InboxFullError],
      [ben, { ...text, event_type: "" }, InvalidInputError],
      [ben, { ...text, event_data: { text: 1 } }, InvalidInputError],
    ];
    const before = await shownOf(network, channelId, [ann, ben]);
    for (const [sender, draft, error] of refusals) {
      await expect(sender.post(draft)).rejects.toBeInstanceOf(error);
      expect(await shownOf(network, channelId, [ann, ben])).toEqual(before);
    }
    const good = await ben.post({ ...text, audience: [ann.agentId] });
    expect(good.position).toBe(before.wal.length + 1);
    await ann.nextEnvelope(({ envelope_id }) => envelope_id === good.envelope_id, 5_000);
    expect(await network.texts(channelId)).toEqual(["to everybody", "never"]);
  });
});

describe.each(SURROUNDINGS)("an inbox that fills up, $transport, $store", (surroundings) => {
  it("F-015 is named to the sender, seen by the operator, and emptied by its owner or with it", async () => {
    await using network = await startTestNetwork(surroundings);
    const full: unknown[] = [];
    network.hub.addListener({
      onInboxPressure: (agentId, pending) => full.push([agentId, pending]),
    });
    const rule = { limits: { inbox: { max_pending: 100, high_water: 100 } } };
    const on = network.connect();
    const ada = await network.ackOnly("ada");
    const bob = await network.ackOnly("bob", { on, rule });
    const { channelId, send } = await ada.open({ type: "conversation", target: "bob" });
    for (let n = 1; n <= 200; n += 1) await send(`${n}`);
    const cursor = () => network.hub.inboxCursor(bob.agentId, channelId);
    const newest = async () => (await network.wal(channelId)).at(-1)?.envelope_id;
    await until(async () => cursor() === (await newest()));
    await on.close();

    const sent: string[] = [];
    for (let n = 201; n <= 300; n += 1) sent.push(await send(`${n}`));
    await expect(send("one too many")).rejects.toThrow(bob.agentId);
    await expect(send("one too many")).rejects.toBeInstanceOf(InboxFullError);
    expect(full).toEqual([[bob.agentId, 100]]);
    expect(network.hub.health()).toMatchObject({ max_pending_inbox_depth: 100 });
    const states = sent.map((id) => network.hub.ledger(channelId, id)[0]?.state);
    expect(new Set(states)).toEqual(new Set(["queued"]));

    const handled: unknown[] = [];
    await network.connect().attach(createScriptedAgent("bob"), "bob", {
      onEnvelope: ({ event_data }) => void handled.push(event_data["text"]),
    });
    await until(() => network.hub.health().pending_inbox_total === 0);
    expect(handled).toEqual(Array.from({ length: 100 }, (_, n) => `${n + 201}`));
    await send("301");
    await until(() => handled.length === 101);
    expect(await network.texts(channelId)).toHaveLength(301);

    // An operator who wants it gone takes its owner out of the registry.
    await bob.hub.close();
    await network.hub.unregister(bob.agentId);
    expect(network.hub.health().pending_inbox_total).toBe(0);
  });
});

describe.each(TRANSPORTS)("a stranger over %s", (transport) => {
  it("F-012 gets nothing for another's token or name, and changes nothing", async () => {
    const keys = { ada: "key-of-ada", bob: "key-of-bob" };
    const authenticators = [createApiKeyAuth({ keys })];
    await using network = await startTestNetwork({ transport, hub: { authenticators } });
    const passport = (name: keyof typeof keys, token: string) => ({
      ...{ name, auth: { scheme: "api_key", claim: { token } } },
    });
    const ada = await network.connect().registerHuman(passport("ada", keys.ada));
    const bob = await network.connect().registerHuman(passport("bob", keys.bob));
    const { channelId, send } = await bob.open({ type: "conversation", target: "ada" });
    const opened = (await network.wal(channelId)).at(-1)?.envelope_id ?? "";
    await until(() => network.hub.inboxCursor(ada.agentId, channelId) === opened);
    const claimOf = (token: string) => ({ auth_scheme: "api_key", auth_claim: { token } });
    await ada.hub.close();
    using earlier = await connectBare(network.link());
    const welcome = await earlier.hello("ada", claimOf(keys.ada));
    const resume_token = "resume_token" in welcome ? (welcome.resume_token ?? null) : null;
    earlier.close();
    await until(() => earlier.isClosed || network.hub.health().connections === 1);
    await send("for ada alone");
    const facts = async () => ({
      agent: await network.hub.getAgent("ada"),
      rule: await network.hub.getRule(ada.agentId),
      channel: await network.hub.getChannel(channelId),
      wal: await network.wal(channelId),
      pending: network.hub.health().pending_inbox_total,
    });
    const before = await facts();
    expect(before.pending).toBe(1);

    using intruder = await connectBare(network.link());
    const tries = [claimOf(keys.bob), {}, { ...claimOf(keys.bob), resume_token }];
    for (const fields of [...tries, { resume_token }]) {
      const answer = await intruder.hello("ada", { ...fields, since_envelope_id: "" });
      expect(answer).toMatchObject({ kind: "error", code: "auth_failed" });
    }
    const answer = await intruder.hello(ada.agentId, claimOf(keys.bob));
    expect(answer).toMatchObject({ kind: "error" });
    const guess = { passport: passport("ada", keys.bob) };
    const attached = network.connect().attach(createScriptedAgent("ada"), "ada", guess);
    await expect(attached).rejects.toBeInstanceOf(AuthError);
    expect(await intruder.hello("bob", claimOf(keys.bob))).toMatchObject({ kind: "welcome" });
    const asAda = await intruder.request("pending_turns_for", { agent_id: ada.agentId });
    expect(asAda).toMatchObject({ ok: false, error_code: "access_denied" });
    await intruder.barrier();
    expect(intruder.notifies).toEqual([]);
    expect(await facts()).toEqual(before);

    const back = await network
      .connect()
      .attachHuman("ada", { passport: passport("ada", keys.ada) });
    const first = await back.nextEnvelope(undefined, 5_000);
    expect(first.event_data).toEqual({ text: "for ada alone" });
  });

  it("F-013 finds in no way that a channel exists", async () => {
    await using network = await startTestNetwork({ transport });
    const [ada] = [await network.ackOnly("ada"), await network.ackOnly("bob")];
    const pieces: unknown[] = [];
    ada.onDelta((delta) => pieces.push(delta));
    const { channelId, send } = await ada.open({ type: "conversation", target: "bob" });
    const text = await send("a secret word");
    using stranger = await connectBare(network.link());
    const params = { passport: { name: "cleo" }, resume: {} };
    const { result } = await stranger.request("register", params);
    const cleo = (result as { agent_id: string }).agent_id;
    const before = {
      wal: await network.wal(channelId),
      now: await network.hub.getChannel(channelId),
    };
    const unknown = "0".repeat(32);
    const task = (channel_id: string) => ({
      ...{ task_id: "t", owner_id: cleo, spec: {}, state: "running", channel_id },
    });
    const ways: [op: string, paramsOf: (channelId: string) => Record<string, unknown>][] = [
      ["create_channel", (id) => opening(cleo, ada, id)],
      ["observe_task", (id) => ({ metadata: task(id) })],
      ["read_wal", (channel_id) => ({ channel_id, since: -5 })],
      ["read_page", (channel_id) => ({ channel_id, last: 5 })],
      ["get_channel", (channel_id) => ({ channel_id })],
      ["close_channel", (channel_id) => ({ channel_id })],
      ["list_tasks", (channel_id) => ({ channel_id })],
    ];
    for (const [op, paramsOf] of ways) {
      const told = async (id: string) => {
        const { request_id: _id, ...answer } = await stranger.request(op, paramsOf(id));
        // Every refusal has an id of its own, also of what is not there.
        const text = JSON.stringify(answer).replaceAll(id, "ID");
        return JSON.parse(
          text.replace(/"refusal_id":"[0-9a-f]{32}"/, '"refusal_id":"R"'),
        ) as unknown;
      };
      expect([op, await told(channelId)]).toEqual([op, await told(unknown)]);
    }
    const before2 = stranger.frames.length;
    for (const channel_id of [channelId, unknown]) {
      const delta = { sender_id: cleo, turn_id: text, sequence: 0, text: "x" };
      stranger.send({ kind: "delta", channel_id, ...delta });
      stranger.receipt({ envelope_id: text, status: "ack", channel_id, recipient_id: cleo });
    }
    await stranger.barrier();
    const heard = stranger.frames.slice(before2).filter(isRefusal);
    expect(heard.map(({ code }) => code)).toEqual(["not_found", "not_found"]);
    await stranger.hello("cleo", { since_envelope_id: text });
    await stranger.barrier();
    expect(stranger.notifies).toEqual([]);
    expect(JSON.stringify(stranger.frames)).not.toContain("secret");
    const after = {
      wal: await network.wal(channelId),
      now: await network.hub.getChannel(channelId),
    };
    expect(after).toEqual(before);
    expect(pieces).toEqual([]);
  });
});

const isRefusal = (frame: HubFrame): frame is Extract<HubFrame, { kind: "error" }> =>
  frame.kind === "error";

/** A channel of one's own that claims to be opened in the course of another one. */
function opening(creator: string, target: AgentClient, parent: string) {
  return {
    ...{ creator_id: creator, manifest_type: "conversation", participants: [target.agentId] },
    parent_channel_id: parent,
  };
}
