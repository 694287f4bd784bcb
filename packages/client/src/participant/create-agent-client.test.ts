import {
  createEnvelope,
  createPassport,
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_TEXT,
  type Passport,
  type ReceiptItem,
} from "@colloquy/protocol";
import {
  type AcceptedConnection,
  createFakeAcceptor,
  createFakeClock,
  createFakeIds,
  scriptOperations,
  settle,
  until,
} from "@colloquy/testkit";
import { afterEach, describe, expect, it } from "vitest";
import type { EnvelopeHandler } from "../agent/agent-client.js";
import { createScriptedAgent } from "../agent/scripted-agent.js";
import { createHubClient } from "../create-hub-client.js";
import type { HubClient } from "../hub-client.js";
import { createLocalLink } from "../link/local-link.js";

const open: HubClient[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

let count = 0;
function envelopeIn(channel_id: string, fields: Partial<Envelope> = {}): Envelope {
  count += 1;
  return createEnvelope({
    envelope_id: `envelope-${count}`,
    channel_id,
    sender_id: "other",
    event_type: EV_TEXT,
    event_data: { text: "hello" },
    created_at: "2026-01-01T00:00:00.000000+00:00",
    ...fields,
  });
}

async function start(onEnvelope?: EnvelopeHandler) {
  const operations = {
    register: (params: Record<string, unknown>) => ({
      ...(params["passport"] as Passport),
      agent_id: "ada-id",
    }),
    unregister: () => null,
    get_agent: ({ name_or_id }: Record<string, unknown>) => ({
      ...createPassport({ name: String(name_or_id) }),
      agent_id: `${String(name_or_id)}-id`,
    }),
  };
  const acceptor = createFakeAcceptor(scriptOperations(operations));
  const clock = createFakeClock();
  const client = createHubClient({ link: createLocalLink(acceptor), clock, ids: createFakeIds() });
  open.push(client);
  const ada = await client.register(createScriptedAgent("ada"), { onEnvelope });
  return { acceptor, client, ada, hub: acceptor.latest, clock };
}

function receiptFrames(connection: AcceptedConnection): ReceiptItem[][] {
  return connection.received.flatMap((frame) => (frame.kind === "receipts" ? [frame.items] : []));
}
const receipts = (connection: AcceptedConnection): string[] =>
  receiptFrames(connection)
    .flat()
    .map(({ envelope_id, status, reason }) => [envelope_id, status, reason].join(" ").trim());

describe("deliveries to an agent", () => {
  it("are settled when their handler has ended, with everything that a receipt needs", async () => {
    const gates: (() => void)[] = [];
    const { hub } = await start(() => new Promise<void>((resolve) => void gates.push(resolve)));
    const envelope = envelopeIn("c");
    hub.notify(envelope, "ada-id");
    await until(() => gates.length === 1);
    await settle();
    expect(receipts(hub)).toEqual([]);
    gates[0]?.();
    await until(() => receipts(hub).length === 1);
    expect(receiptFrames(hub)).toEqual([
      [
        {
          ...{ envelope_id: envelope.envelope_id, status: "ack", recipient_id: "ada-id" },
          ...{ channel_id: "c", reason: "" },
        },
      ],
    ]);
  });

  it("of one tick are settled in one frame", async () => {
    const { hub } = await start(() => undefined);
    for (const channel of ["a", "b", "c"]) hub.notify(envelopeIn(channel), "ada-id");
    await until(() => receipts(hub).length === 3);
    expect(receiptFrames(hub).length).toBeLessThan(3);
  });

  it("that come again while they are handled are handled once", async () => {
    let release: () => void = () => undefined;
    let handled = 0;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { hub, ada } = await start(() => {
      handled += 1;
      return held;
    });
    const envelope = envelopeIn("c");
    for (const attempt of [1, 2, 3]) hub.notify(envelope, "ada-id", { attempt });
    await settle();
    release();
    await until(() => receipts(hub).length > 0);
    await settle();
    expect(handled).toBe(1);
    expect(receipts(hub)).toEqual([`${envelope.envelope_id} ack`]);
    expect(ada.channelInbox("c").size).toBe(1);
  });

  it("that come again after their receipt are settled again and not handled", async () => {
    let handled = 0;
    const { hub, ada } = await start(() => {
      handled += 1;
    });
    const envelope = envelopeIn("c");
    hub.notify(envelope, "ada-id");
    await until(() => receipts(hub).length === 1);
    hub.notify(envelope, "ada-id", { attempt: 2 });
    await until(() => receipts(hub).length === 2);
    expect(handled).toBe(1);
    expect(ada.channelInbox("c").size).toBe(1);
  });

  it("that come while their pending turn is taken up are settled when it has ended", async () => {
    let release: () => void = () => undefined;
    let handled = 0;
    const { hub, ada, acceptor } = await start(() => {
      handled += 1;
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    const envelope = envelopeIn("c");
    const { envelope_id, created_at } = envelope;
    acceptor.script = scriptOperations({
      pending_turns_for: () => [
        { channel_id: "c", triggering_envelope_id: envelope_id, expected_at: created_at },
      ],
      read_page: () => ({ envelopes: [envelope], positions: [1], next: null, head: 1 }),
    });
    const resumed = ada.resumePendingTurns();
    await until(() => handled === 1);
    for (const attempt of [2, 3]) hub.notify(envelope, "ada-id", { attempt });
    await settle();
    expect(receipts(hub)).toEqual([]);
    release();
    expect(await resumed).toBe(1);
    await until(() => receipts(hub).length > 0);
    await settle();
    expect(handled).toBe(1);
    expect(receipts(hub)).toEqual([`${envelope.envelope_id} ack`]);
  });

  it("whose handler throws are refused with its words, and handled anew when they come again", async () => {
    const attempts: number[] = [];
    const { hub, ada } = await start((_envelope, _client, { attempt, position }) => {
      attempts.push(attempt);
      if (attempt === 1) throw new Error(`no, not at ${position}`);
    });
    const envelope = envelopeIn("c");
    hub.notify(envelope, "ada-id", { position: 7 });
    await until(() => receipts(hub).length === 1);
    hub.notify(envelope, "ada-id", { position: 7, attempt: 2 });
    await until(() => receipts(hub).length === 2);
    expect(receipts(hub)).toEqual([
      `${envelope.envelope_id} nack no, not at 7`,
      `${envelope.envelope_id} ack`,
    ]);
    expect(attempts).toEqual([1, 2]);
    expect(ada.channelInbox("c").size).toBe(1);
  });

  it("are handled one by one per channel and side by side across channels", async () => {
    const log: string[] = [];
    const gates = new Map<string, () => void>();
    const { hub } = await start(async ({ event_data }) => {
      const name = String(event_data["text"]);
      log.push(name);
      await new Promise<void>((resolve) => gates.set(name, resolve));
    });
    const text = (name: string) => ({ event_data: { text: name } });
    hub.notify(envelopeIn("1", text("a")), "ada-id");
    hub.notify(envelopeIn("1", text("b")), "ada-id");
    hub.notify(envelopeIn("2", text("c")), "ada-id");
    await until(() => log.length === 2);
    await settle();
    expect(log).toEqual(["a", "c"]);
    gates.get("a")?.();
    await until(() => log.length === 3);
    expect(log).toEqual(["a", "c", "b"]);
  });

  it("are not settled once the agent has stopped, and its handler is told", async () => {
    let signal: AbortSignal | null = null;
    const { hub, ada } = await start((_envelope, _client, delivery) => {
      signal = delivery.signal;
      return new Promise<void>((resolve) => {
        delivery.signal.addEventListener("abort", () => resolve());
      });
    });
    hub.notify(envelopeIn("c"), "ada-id");
    await until(() => signal);
    const waiting = ada.waitForChannelEvent("other", () => true).catch((error: Error) => error);
    ada.disconnect();
    hub.notify(envelopeIn("c"), "ada-id");
    await settle();
    expect(signal).toMatchObject({ aborted: true });
    expect(receipts(hub)).toEqual([]);
    expect(await waiting).toMatchObject({ code: "client/disconnected" });
    expect(ada.status).toBe("disconnected");
    expect(await ada.stopped).toEqual({ reason: "disconnected", error: null });
    await expect(ada.send(envelopeIn("c"))).rejects.toThrow("disconnected");
    expect(hub.requests.map(({ op }) => op)).toEqual(["register"]);
  });

  it("that end a channel cancel what is handled there", async () => {
    const reasons: string[] = [];
    const { hub } = await start((envelope, _client, { signal }) => {
      if (envelope.event_type !== EV_TEXT) return undefined;
      return new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => {
          reasons.push(String(signal.reason.message));
          resolve();
        });
      });
    });
    hub.notify(envelopeIn("c"), "ada-id");
    hub.notify(envelopeIn("d"), "ada-id");
    await settle();
    const end = { event_type: EV_CHANNEL_CLOSED, event_data: { channel_id: "c", reason: "done" } };
    hub.notify(envelopeIn("c", end), "ada-id");
    await until(() => receipts(hub).length === 2);
    expect(reasons).toEqual(["channel 'c' has ended: done"]);
  });

  it("for somebody who is not here are passed over, and those without a name go to whom they address", async () => {
    const heard: string[] = [];
    const { hub } = await start(({ event_data }) => void heard.push(String(event_data["text"])));
    hub.notify(envelopeIn("c", { event_data: { text: "for another" } }), "stranger");
    hub.notify(envelopeIn("c", { event_data: { text: "listed" }, audience: ["ada-id"] }), "");
    hub.notify(envelopeIn("c", { event_data: { text: "for all" } }), "");
    hub.notify(envelopeIn("c", { event_data: { text: "not listed" }, audience: ["x"] }), "");
    await until(() => receipts(hub).length === 2);
    expect(heard).toEqual(["listed", "for all"]);
  });

  it("that come before the answer to the registration are not lost", async () => {
    const acceptor = createFakeAcceptor((frame, connection) => {
      if (frame.kind !== "request") return;
      connection.notify(envelopeIn("c"), "ada-id");
      connection.answer(frame, {
        ...(frame.params["passport"] as Passport),
        agent_id: "ada-id",
      });
    });
    const client = createHubClient({ link: createLocalLink(acceptor), clock: createFakeClock() });
    open.push(client);
    const heard: string[] = [];
    await client.register(createScriptedAgent("ada"), {
      onEnvelope: ({ channel_id }) => void heard.push(channel_id),
    });
    await until(() => receipts(acceptor.latest).length === 1);
    expect(heard).toEqual(["c"]);
  });

  it("share one frozen copy, so that nobody changes what another sees", async () => {
    const seen: Envelope[] = [];
    const { hub } = await start((envelope) => void seen.push(envelope));
    const envelope = envelopeIn("c", { event_data: { text: "x", deep: { list: [1] } } });
    hub.notify(envelope, "ada-id");
    await until(() => seen.length === 1);
    expect(seen[0]).toEqual(envelope);
    expect(seen[0]).not.toBe(envelope);
    expect(Object.isFrozen(seen[0]?.event_data["deep"])).toBe(true);
    expect(Object.isFrozen(envelope)).toBe(false);
  });
});

describe("identity", () => {
  it("is sent with every post, with a key of its own each time", async () => {
    const { ada, acceptor, hub } = await start();
    const posted = { envelope_id: "e", position: 1, created_at: "t", duplicate: false, notes: [] };
    acceptor.script = scriptOperations({ post: () => posted });
    const draft = { channel_id: "c", event_type: EV_TEXT, event_data: { text: "x" } };
    expect(await ada.send(draft)).toBe("e");
    await ada.post({ ...draft, idempotency_key: "mine" });
    const envelopes = hub.requests
      .filter(({ op }) => op === "post")
      .map(({ params }) => params["envelope"] as Envelope);
    expect(envelopes.map(({ sender_id }) => sender_id)).toEqual(["ada-id", "ada-id"]);
    expect(envelopes[0]?.idempotency_key).toMatch(/^[0-9a-f]{32}$/);
    expect(envelopes[1]?.idempotency_key).toBe("mine");
  });

  it("hears pieces of answers of its own channels only, and a faulty listener hurts no other", async () => {
    const { ada, hub } = await start(() => undefined);
    const pieces: string[] = [];
    ada.onDelta(() => {
      throw new Error("odd");
    });
    const stop = ada.onDelta(({ text }) => void pieces.push(text));
    const delta = (channel_id: string, sender_id: string, text: string) =>
      hub.send({ kind: "delta", channel_id, sender_id, turn_id: "t", sequence: 0, text });
    hub.notify(envelopeIn("c"), "ada-id");
    delta("c", "other", "mine");
    delta("d", "other", "another channel's");
    delta("c", "ada-id", "own");
    await until(() => receipts(hub).length === 1);
    await settle();
    stop();
    delta("c", "other", "late");
    await settle();
    expect(pieces).toEqual(["mine"]);
  });
});
