import {
  type ClientFrame,
  createEnvelope,
  EV_TEXT,
  type HubFrame,
  type Link,
  type LinkClosed,
  type LinkConnection,
  type LinkHandlers,
} from "@colloquy/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AcceptedConnection, FakeAcceptor } from "../fakes/fake-acceptor.js";
import { settle } from "../wait/settle.js";
import { until } from "../wait/until.js";

/** A link with a fake hub at its other end. */
export interface LinkSubject {
  readonly link: Link;
  /** What the link's connections reach. */
  readonly acceptor: FakeAcceptor;
  /** A link of the same kind whose hub is not there; null for a kind that always has one. */
  readonly unreachable: Link | null;
  dispose(): Promise<void>;
}

/** Makes a subject for one test. */
export type LinkFactory = () => Promise<LinkSubject>;

/** Frames that one ordering test sends. */
const MANY = 500;

/**
 * Defines the tests that every link passes.
 *
 * - L1: frames arrive in the order in which they were sent, once each, in both directions.
 * - L2: a frame is handed over as it was when it was sent; neither side can change the other's.
 * - L3: nothing arrives before the call that sent it has returned.
 * - L4: `connect` rejects when the signal is aborted, and when there is no hub.
 * - L5: when the client closes, the hub hears of it after what was sent before; the client hears
 *   `onClosed` once and nothing more.
 * - L6: when the hub closes, the client gets what was sent before, then `onClosed` once with code
 *   and reason; what is sent afterwards goes nowhere.
 * - L7: a message that is no frame is reported, and the connection goes on.
 * - L8: a delivery arrives as a `notify` with everything in it.
 * - L9: connections of one link do not meet.
 *
 * @param name - what is proven, for the test report
 * @param makeSubject - a fresh link and hub for each test
 */
export function runLinkConformance(name: string, makeSubject: LinkFactory): void {
  describe(`link conformance: ${name}`, () => {
    let subject: LinkSubject;
    beforeEach(async () => {
      subject = await makeSubject();
    });
    afterEach(() => subject.dispose());

    const open = async (): Promise<OpenLine> => {
      const count = subject.acceptor.connections.length;
      const client = createListener();
      const connection = await subject.link.connect(client, new AbortController().signal);
      const hub = await until(() => subject.acceptor.connections[count]);
      return { connection, client, hub };
    };

    it("L1: frames arrive in order, once each, in both directions", async () => {
      const { connection, client, hub } = await open();
      const ids = Array.from({ length: MANY }, (_, index) => String(index));
      for (const id of ids) connection.send(request(id));
      for (const id of ids) hub.send(response(id));
      await until(() => hub.received.length >= MANY && client.frames.length >= MANY);
      await settle();
      expect(hub.requests.map((frame) => frame.request_id)).toEqual(ids);
      expect(client.frames.map(idOf)).toEqual(ids);
    });

    it("L2: a frame is handed over as it was when it was sent", async () => {
      const { connection, client, hub } = await open();
      const params = { list: [1], __proto__x: "odd", gone: undefined };
      const result = { list: [1] };
      connection.send({ ...request("a"), params });
      hub.send({ ...response("a"), result });
      params.list.push(2);
      result.list.push(2);
      const [received, heard] = await until(() => {
        const pair = [hub.requests[0], client.frames[0]] as const;
        return pair[0] !== undefined && pair[1] !== undefined && pair;
      });
      expect(received?.params).toEqual({ list: [1], __proto__x: "odd" });
      expect(heard).toMatchObject({ result: { list: [1] } });
      const list = received?.params["list"];
      if (Array.isArray(list) && !Object.isFrozen(list)) list.push(3);
      expect(params.list).toEqual([1, 2]);
    });

    it("L3: nothing arrives before the call that sent it has returned", async () => {
      const { connection, client, hub } = await open();
      connection.send(request("a"));
      hub.send(response("a"));
      expect(hub.received).toEqual([]);
      expect(client.frames).toEqual([]);
      await until(() => hub.received.length === 1 && client.frames.length === 1);
    });

    it("L4: connect rejects for an aborted signal and for a hub that is not there", async () => {
      const aborted = AbortSignal.abort(new Error("not wanted"));
      await expect(subject.link.connect(createListener(), aborted)).rejects.toThrow("not wanted");
      if (subject.unreachable === null) return;
      const { signal } = new AbortController();
      await expect(subject.unreachable.connect(createListener(), signal)).rejects.toThrow();
    });

    it("L5: a close by the client is heard once by both, behind what was sent", async () => {
      const { connection, client, hub } = await open();
      connection.send(request("last"));
      connection.close(1000, "done");
      connection.close(1000, "again");
      connection.send(request("too late"));
      hub.send(response("unheard"));
      const closed = await until(() => hub.closed);
      await until(() => client.closes.length > 0);
      await settle();
      expect(closed).toEqual({ code: 1000, reason: "done" });
      expect(hub.requests.map((frame) => frame.request_id)).toEqual(["last"]);
      expect(client.closes).toHaveLength(1);
      expect(client.frames).toEqual([]);
    });

    it("L6: a close by the hub is heard once, behind what was sent", async () => {
      const { connection, client, hub } = await open();
      hub.send(response("last"));
      hub.close(4008, "too slow");
      hub.close(4008, "again");
      await until(() => client.closes.length > 0 && hub.closed !== null);
      connection.send(request("nowhere"));
      connection.close();
      await settle();
      expect(client.frames.map(idOf)).toEqual(["last"]);
      expect(client.closes).toEqual([{ code: 4008, reason: "too slow" }]);
      expect(client.steps.at(-1)).toBe("closed");
      expect(hub.received).toEqual([]);
    });

    it("L7: a message that is no frame is reported and the connection goes on", async () => {
      const { connection, client, hub } = await open();
      connection.send({ kind: "nonsense" } as unknown as ClientFrame);
      hub.send({ kind: "nonsense" } as unknown as HubFrame);
      connection.send(request("next"));
      hub.send(response("next"));
      await until(() => hub.received.length === 1 && client.frames.length === 1);
      expect(hub.bad).toHaveLength(1);
      expect(client.bad).toHaveLength(1);
      expect(client.bad[0]?.message).toContain("kind");
    });

    it("L8: a delivery arrives as a notify with everything in it", async () => {
      const { client, hub } = await open();
      const envelope = createEnvelope({
        envelope_id: "0".repeat(32),
        channel_id: "channel-1",
        sender_id: "agent-2",
        event_type: EV_TEXT,
        event_data: { text: "grüße\u2028", deep: { list: [null] } },
      });
      hub.notify(envelope, "agent-1", { position: 7, attempt: 3 });
      const [frame] = await until(() => client.frames.length === 1 && client.frames);
      expect(frame).toEqual({
        kind: "notify",
        envelope,
        recipient_id: "agent-1",
        position: 7,
        attempt: 3,
      });
    });

    it("L9: connections of one link do not meet", async () => {
      const [one, other] = [await open(), await open()];
      one.connection.send(request("0"));
      other.connection.send(request("0"));
      await until(() => one.hub.received.length + other.hub.received.length === 2);
      other.hub.send(response("0"));
      await until(() => other.client.frames.length === 1);
      other.connection.close();
      await until(() => other.hub.closed);
      expect(one.client.steps).toEqual([]);
      expect(one.hub.closed).toBeNull();
      one.hub.send(response("0"));
      await until(() => one.client.frames.length === 1);
    });
  });
}

interface OpenLine {
  readonly connection: LinkConnection;
  readonly client: Listener;
  readonly hub: AcceptedConnection;
}

interface Listener extends LinkHandlers {
  readonly frames: readonly HubFrame[];
  readonly bad: readonly Error[];
  readonly closes: readonly LinkClosed[];
  readonly steps: readonly string[];
}

function createListener(): Listener {
  const frames: HubFrame[] = [];
  const bad: Error[] = [];
  const closes: LinkClosed[] = [];
  const steps: string[] = [];
  return {
    frames,
    bad,
    closes,
    steps,
    onFrame(frame) {
      frames.push(frame);
      steps.push(frame.kind);
    },
    onBadFrame(error) {
      bad.push(error);
      steps.push("bad");
    },
    onClosed(closed) {
      closes.push(closed);
      steps.push("closed");
    },
  };
}

function request(id: string): Extract<ClientFrame, { kind: "request" }> {
  return { kind: "request", request_id: id, op: "get_agent", params: {} };
}

function response(id: string): Extract<HubFrame, { kind: "response" }> {
  const fine = { ok: true, error_code: "", error_message: "" };
  return { kind: "response", request_id: id, result: null, ...fine };
}

function idOf(frame: HubFrame): string {
  return frame.kind === "response" ? frame.request_id : frame.kind;
}
