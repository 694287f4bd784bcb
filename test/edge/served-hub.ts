import { createDefaultAdapters } from "@colloquy/adapters";
import { type Authenticator, type HubLimits, openHub } from "@colloquy/hub";
import { serveWebSocket } from "@colloquy/hub/ws";
import {
  type Clock,
  createPassport,
  createResume,
  createRule,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  type HubFrame,
  type LinkPeer,
  type RuleInput,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createRecordingLogger, until } from "@colloquy/testkit";
import { WebSocket } from "ws";

type ServeOptions = Parameters<typeof serveWebSocket>[1];

/** What a served hub is made with. */
export interface ServedHubOptions {
  readonly limits?: Partial<HubLimits>;
  readonly authenticators?: readonly Authenticator[];
  readonly serve?: ServeOptions;
  /** Drives the hub, not its sockets. Default: the system's clock. */
  readonly clock?: Clock;
}

type Notify = Extract<HubFrame, { kind: "notify" }>;
type Response = Extract<HubFrame, { kind: "response" }>;

/** A raw WebSocket that keeps the frames that it gets, and what ended it. */
export interface RawClient {
  readonly web: WebSocket;
  readonly frames: HubFrame[];
  readonly notifies: readonly Notify[];
  /** Code of the close; null while it is open. */
  readonly closeCode: number | null;
  send(frame: object): void;
  request(op: string, params?: object): Promise<Response>;
  /** The result of a request that must succeed. */
  call<Result>(op: string, params?: object): Promise<Result>;
  register(name: string, rule?: RuleInput): Promise<string>;
  ack(notify: Notify): void;
  /** Acknowledges everything, from the first on. */
  ackAll(): void;
}

/** A hub on a loopback port, and raw clients of it. Dispose of it at the end of a test. */
export async function openServedHub(options: ServedHubOptions = {}) {
  const logger = createRecordingLogger();
  const hub = await openHub({
    store: createMemoryStore(),
    adapters: createDefaultAdapters(),
    logger,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.authenticators === undefined ? {} : { authenticators: options.authenticators }),
  });
  const peers: LinkPeer[] = [];
  const watched = {
    ...hub,
    accept(peer: LinkPeer) {
      peers.push(peer);
      return hub.accept(peer);
    },
  };
  const server = await serveWebSocket(watched, { logger, ...options.serve });
  const clients: WebSocket[] = [];

  return {
    hub,
    server,
    logger,
    /** The hub's ends of all sockets so far, in order. */
    peers,
    /** Opens a socket; without `protocols` it speaks the bare profile. */
    async connect(
      protocols: string[] = [],
      headers: Record<string, string> = {},
    ): Promise<RawClient> {
      const web = new WebSocket(server.url, protocols, { headers, perMessageDeflate: false });
      clients.push(web);
      const client = createRawClient(web);
      await new Promise<void>((resolve, reject) => {
        web.once("open", resolve);
        web.once("error", reject);
      });
      return client;
    },
    /** Accepts every invitation from the hub's side. */
    acceptInvitations(): void {
      hub.addListener({
        onEnvelopePosted({ event_type, channel_id, audience }) {
          if (event_type !== EV_CHANNEL_INVITE) return;
          for (const sender_id of audience ?? []) {
            const event_data = { channel_id };
            const ack = { channel_id, sender_id, event_type: EV_CHANNEL_INVITE_ACK, event_data };
            void hub.postEnvelope(ack);
          }
        },
      });
    },
    async open(type: string, creator_id: string, ...participants: string[]): Promise<string> {
      const input = { creator_id, manifest_type: type, participants };
      return (await hub.createChannel(input)).channel_id;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      for (const web of clients) web.terminate();
      await server.stop();
      await hub.close();
    },
  };
}

function createRawClient(web: WebSocket): RawClient {
  const frames: HubFrame[] = [];
  const waiting = new Map<string, (response: Response) => void>();
  let requests = 0;
  let closeCode: number | null = null;
  let acknowledges = false;
  web.on("error", () => undefined);
  web.on("close", (code) => {
    closeCode = code;
  });
  const client: RawClient = {
    web,
    frames,
    get notifies() {
      return frames.filter((frame) => frame.kind === "notify");
    },
    get closeCode() {
      return closeCode;
    },
    send: (frame) => web.send(JSON.stringify(frame)),
    request(op, params = {}) {
      const request_id = String(requests);
      requests += 1;
      return new Promise((resolve) => {
        waiting.set(request_id, resolve);
        client.send({ kind: "request", request_id, op, params });
      });
    },
    async call<Result>(op: string, params?: object): Promise<Result> {
      const answer = await client.request(op, params);
      if (!answer.ok) throw new Error(`${op}: ${answer.error_code} ${answer.error_message}`);
      return answer.result as Result;
    },
    async register(name, rule = {}) {
      const passport = createPassport({ name });
      const params = { passport, resume: createResume(), rule: createRule(rule) };
      return (await client.call<{ agent_id: string }>("register", params)).agent_id;
    },
    ack({ recipient_id, envelope: { channel_id, envelope_id } }) {
      const receipt = { recipient_id, channel_id, envelope_id, status: "ack", reason: "" };
      client.send({ kind: "receipt", ...receipt });
    },
    ackAll() {
      acknowledges = true;
      for (const notify of client.notifies) client.ack(notify);
    },
  };
  web.on("message", (data) => {
    const frame = JSON.parse(data.toString()) as HubFrame;
    frames.push(frame);
    if (frame.kind === "notify" && acknowledges) client.ack(frame);
    if (frame.kind === "response") waiting.get(frame.request_id)?.(frame);
  });
  return client;
}

/** Waits until a socket has closed; gives the code. */
export function closeOf(client: RawClient): Promise<number> {
  return until(() => client.closeCode, { describe: "the socket closes" });
}
