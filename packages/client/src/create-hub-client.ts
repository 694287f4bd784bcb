import { createDefaultAdapters } from "@colloquy/adapters";
import { createIdSource, createSystemClock, silentLogger } from "@colloquy/protocol";
import { createDefaultViewRegistry } from "@colloquy/views";
import type { ParticipantClient } from "./agent/participant-client.js";
import { createConnection } from "./connection/connection.js";
import { reconnectPolicy } from "./connection/reconnect-policy.js";
import { ClientError } from "./errors.js";
import { createBinder } from "./host/binder.js";
import { createEnrolment } from "./host/enrolment.js";
import { createParticipantTable } from "./host/participant-table.js";
import { renewCredential } from "./host/renew-credential.js";
import type { HubClient, HubClientOptions } from "./hub-client.js";
import { extend } from "./participant/extend.js";
import { createHubVerbs } from "./verbs/create-hub-verbs.js";
import type { HubPort } from "./verbs/hub-port.js";

const DEFAULT_REQUEST_TIMEOUT_MS = 30_000;
const DEFAULT_HEARTBEAT_MS = 15_000;
/** Close code with which a hub tells a bare client that another connection has taken over. */
const CLOSE_REPLACED = 4009;

/** Makes a {@link HubClient}. It dials at the first need. */
export function createHubClient(options: HubClientOptions): HubClient {
  const { link, logger = silentLogger, clock = createSystemClock() } = options;
  const { random = Math.random, requestTimeoutMs = DEFAULT_REQUEST_TIMEOUT_MS } = options;
  const ids = options.ids ?? createIdSource({ clock });
  const policy = reconnectPolicy(options.reconnect === false ? {} : options.reconnect);
  const clients = new Map<string, ParticipantClient>();
  const table = createParticipantTable((item) => connection.session?.receipt(item), logger);
  const { credentials } = options;
  const binder = createBinder({ clock, logger, random, policy, credentials });
  const connection = createConnection({
    link,
    clock,
    // A hub in this process that has closed is no reason to keep the process alive.
    pauseClock: options.clock ?? createSystemClock({ unref: !link.remote }),
    logger,
    random,
    requestTimeoutMs,
    heartbeatMs: options.heartbeatMs ?? DEFAULT_HEARTBEAT_MS,
    reconnect: options.reconnect === false ? null : policy,
    handlers: {
      onSession: (session) => binder.bindAll(session, table.active),
      onNotify: (frame) => table.notify(frame),
      onDelta: (frame) => table.delta(frame),
      onHint(frame) {
        const participant = table.get(frame.agent_id ?? "");
        if (participant === null) return;
        if (frame.hint === "renew") {
          void renewCredential({ connection, credentials, logger }, participant);
        } else if (frame.hint === "unbound" && connection.session !== null) {
          void binder.bindAll(connection.session, [participant]);
        } else if (frame.hint === "replaced") {
          logger.warn({ agent_id: participant.agentId }, "another connection has taken over");
          participant.stop("replaced");
        }
      },
      onEnd({ code }) {
        if (code !== CLOSE_REPLACED) return;
        for (const participant of table.active) participant.stop("replaced");
      },
      isNeeded: () => table.active.length > 0,
    },
  });
  const verbs = createHubVerbs({
    connection,
    adapters: options.adapters ?? createDefaultAdapters(),
    views: options.views ?? createDefaultViewRegistry(),
    requestTimeoutMs,
  });
  const stopAll = (): void => {
    for (const participant of table.active) participant.stop("hub_closed");
  };
  void connection.closed.then(stopAll);

  const port: HubPort = extend(verbs, {
    remote: link.remote,
    get profile() {
      return connection.profile;
    },
    get endpointId() {
      return connection.session?.endpointId ?? "";
    },
    get isClosed() {
      return connection.isClosed;
    },
    closed: connection.closed,
    status: () => connection.follow(),
    async drain() {
      const { active } = table;
      for (const participant of active) participant.pause();
      await Promise.all(active.map((participant) => participant.idle()));
      await port.close();
    },
    async close() {
      stopAll();
      connection.close();
    },
  });
  const enrolment = createEnrolment({
    hub: port,
    connection,
    table,
    clients,
    binder,
    clock,
    ids,
    logger,
    credentials,
  });
  const requireOpen = (): void => {
    if (!connection.isClosed) return;
    throw new ClientError("client/closed", "the hub client is closed; make a new one");
  };

  const client: HubClient = extend(port, {
    async connect() {
      requireOpen();
      await connection.ready();
    },
    async register(...args: Parameters<HubClient["register"]>) {
      requireOpen();
      return enrolment.register(...args);
    },
    async registerHuman(...args: Parameters<HubClient["registerHuman"]>) {
      requireOpen();
      return enrolment.registerHuman(...args);
    },
    async attach(...args: Parameters<HubClient["attach"]>) {
      requireOpen();
      return enrolment.attach(...args);
    },
    async attachHuman(...args: Parameters<HubClient["attachHuman"]>) {
      requireOpen();
      return enrolment.attachHuman(...args);
    },
    get participants() {
      return [...clients.values()];
    },
    async shutdown() {
      const leaving = [...clients.values()].map((participant) => participant.unregister());
      await Promise.allSettled(leaving);
      await port.close();
    },
    [Symbol.asyncDispose]: () => port.close(),
  });
  return client;
}
