import { createDefaultAdapters } from "@colloquy/adapters";
import type { Authenticator, HubLimits, HubListener } from "@colloquy/hub";
import {
  type ClientFrame,
  createEnvelope,
  createPassport,
  createResume,
  createRule,
  type EnvelopeDraft,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_TEXT,
  type OperationName,
  type PassportInput,
  type RuleInput,
  type Store,
  type WireProfile,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import {
  createFakeClock,
  createFakeIds,
  createFakePeer,
  createRecordingLogger,
  type FakePeerOptions,
  until,
} from "@colloquy/testkit";
import { assembleHub } from "../../packages/hub/src/open-hub.js";

/** What a bench is made with. */
export interface ConnectionBenchOptions {
  readonly limits?: Partial<HubLimits>;
  readonly authenticators?: readonly Authenticator[];
  readonly store?: Store;
  readonly listener?: HubListener;
}

/** What a response says, as a test compares it. */
export interface Answer {
  readonly ok: boolean;
  readonly result: unknown;
  readonly error_code: string;
  readonly error_message: string;
}

/** A whole hub in this process, and far sides that speak frames and keep what they get. */
export async function openConnectionBench(options: ConnectionBenchOptions = {}) {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const store = options.store ?? createMemoryStore();
  const { hub, context } = await assembleHub({
    store,
    adapters: createDefaultAdapters(),
    clock,
    ids: createFakeIds(),
    logger,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.authenticators === undefined ? {} : { authenticators: options.authenticators }),
    ...(options.listener === undefined ? {} : { listeners: [options.listener] }),
  });
  let requests = 0;

  const connect = (peerOptions: FakePeerOptions = {}) => {
    const peer = createFakePeer(peerOptions);
    const connection = hub.accept(peer);
    const send = (frame: ClientFrame | Record<string, unknown>): void => connection.receive(frame);
    const request = async (op: string, params: object = {}): Promise<Answer> => {
      requests += 1;
      const request_id = `r${requests}`;
      send({ kind: "request", request_id, op, params: { ...params } });
      const answer = await until(() =>
        peer.frames.find((f) => f.kind === "response" && f.request_id === request_id),
      );
      if (answer.kind !== "response") throw new Error("no response");
      const { ok, result, error_code, error_message } = answer;
      return { ok, result, error_code, error_message };
    };
    return {
      peer,
      connection,
      send,
      request,
      /** {@link request}, which must succeed. */
      async call(op: OperationName, params: object = {}): Promise<unknown> {
        const answer = await request(op, params);
        if (!answer.ok) throw new Error(`${op}: ${answer.error_code} ${answer.error_message}`);
        return answer.result;
      },
      /** Registers an agent over this connection; gives its id. */
      async register(name: string, passport: Partial<PassportInput> = {}, rule: RuleInput = {}) {
        const params = {
          passport: createPassport({ name, ...passport }),
          resume: createResume(),
          rule: createRule(rule),
        };
        const registered = (await this.call("register", params)) as { agent_id: string };
        return registered.agent_id;
      },
      /** Says hello and gives the welcome or error that answers it. */
      async hello(name: string, fields: object = {}) {
        const before = peer.frames.length;
        send({ kind: "hello", name, ...fields });
        const answer = await until(() =>
          peer.frames.slice(before).find((f) => f.kind === "welcome" || f.kind === "error"),
        );
        return answer;
      },
      ack(recipient_id: string, envelope: { envelope_id: string; channel_id: string }): void {
        const { envelope_id, channel_id } = envelope;
        send({ kind: "receipt", status: "ack", recipient_id, channel_id, envelope_id });
      },
      drop(): void {
        connection.closed({ code: 1006, reason: "" });
      },
    };
  };

  return {
    clock,
    logger,
    store,
    hub,
    context,
    connect,
    /** A connection with an agent of its own, and its id. */
    async join(name: string, profile: WireProfile = "colloquy.v1", rule: RuleInput = {}) {
      const link = connect({ profile });
      const id = await link.register(name, {}, rule);
      return { ...link, id };
    },
    /** Accepts every invitation that members get, from the hub's side. */
    acceptInvitations(): void {
      hub.addListener({
        onEnvelopePosted({ event_type, channel_id, audience, envelope_id }) {
          if (event_type !== EV_CHANNEL_INVITE) return;
          for (const sender_id of audience ?? []) {
            void hub.postEnvelope({
              channel_id,
              sender_id,
              event_type: EV_CHANNEL_INVITE_ACK,
              event_data: { channel_id },
              causation_id: envelope_id,
            });
          }
        },
      });
    },
    /** Opens a channel for agents, whose invitations must be accepted somewhere. */
    async open(type: string, creator_id: string, ...participants: string[]): Promise<string> {
      const input = { creator_id, manifest_type: type, participants };
      return (await hub.createChannel(input)).channel_id;
    },
    /** Kinds of the audit records so far, with those facts that a test asks for. */
    async audited(kind: string) {
      return (await hub.audit.readAll()).filter((record) => record.kind === kind);
    },
  };
}

/** A text as a connection posts it. */
export function textOf(channel_id: string, sender_id: string, rest: Partial<EnvelopeDraft> = {}) {
  const draft = { channel_id, sender_id, event_type: EV_TEXT, event_data: { text: "hello" } };
  return { envelope: createEnvelope({ ...draft, ...rest }) };
}
