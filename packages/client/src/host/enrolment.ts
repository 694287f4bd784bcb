import {
  type Clock,
  createPassport,
  createResume,
  createRule,
  effectiveKind,
  type IdSource,
  type Logger,
  type Passport,
  type PassportInput,
} from "@colloquy/protocol";
import type { Agent } from "../agent/agent.js";
import type { AgentClient } from "../agent/agent-client.js";
import type { ParticipantClient } from "../agent/participant-client.js";
import { operationCall } from "../connection/call.js";
import type { Connection } from "../connection/connection.js";
import { ClientError, isClientError } from "../errors.js";
import type { HumanClient } from "../human/human-client.js";
import { DEFAULT_INBOX_BOUNDS } from "../inbox/channel-inboxes.js";
import { createAgentClient } from "../participant/create-agent-client.js";
import { createHumanClient } from "../participant/create-human-client.js";
import type { Hosted, Identity } from "../participant/hosted-participant.js";
import type { ParticipantOptions } from "../participant/participant-core.js";
import type { HubPort } from "../verbs/hub-port.js";
import type { Binder } from "./binder.js";
import { type CredentialSupplier, createClaimSource, offerClaims } from "./credentials.js";
import type { ParticipantTable } from "./participant-table.js";
import type { AgentSettings, HumanSettings, ParticipantSettings } from "./settings.js";

const DEFAULT_TURN_TIMEOUT_MS = 600_000;
const DEFAULT_PARALLEL_TURNS = 16;
const DEFAULT_DELTA_INTERVAL_MS = 50;
const DEFAULT_QUEUE_CAPACITY = 1_000;
/** Bytes that may wait to leave before pieces of answers are left out. */
const DELTA_CONGESTION_BYTES = 65_536;

/** What bringing participants in needs of the hub client. */
export interface EnrolmentOptions {
  readonly hub: HubPort;
  readonly connection: Connection;
  readonly table: ParticipantTable;
  /** Clients of those who take part now, by id. */
  readonly clients: Map<string, ParticipantClient>;
  readonly binder: Binder;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly credentials: CredentialSupplier | undefined;
}

/** Ways to bring participants in; see the members of `HubClient` with the same names. */
export interface Enrolment {
  register(agent: Agent, settings?: AgentSettings): Promise<AgentClient>;
  registerHuman(passport: PassportInput, settings?: HumanSettings): Promise<HumanClient>;
  attach(agent: Agent, name: string, settings?: AgentSettings): Promise<AgentClient>;
  attachHuman(
    name: string,
    settings?: HumanSettings & { readonly passport?: PassportInput | undefined },
  ): Promise<HumanClient>;
}

type Build<C> = (identity: Identity) => Hosted<C>;

/** Makes an {@link Enrolment}. */
export function createEnrolment(options: EnrolmentOptions): Enrolment {
  const { hub, connection, table, clients, binder, credentials } = options;

  const install = <C extends ParticipantClient>({ client, hosted }: Hosted<C>): C => {
    table.install(hosted);
    clients.set(client.agentId, client);
    return client;
  };
  const common = (identity: Identity, settings: ParticipantSettings): ParticipantOptions => ({
    ...options,
    ...identity,
    inbox: { ...DEFAULT_INBOX_BOUNDS, ...settings.inbox },
    async unregister(agentId) {
      await connection.call(operationCall("unregister", { agent_id: agentId }));
    },
    onStopped(agentId) {
      table.remove(agentId);
      if (clients.get(agentId)?.status !== "active") clients.delete(agentId);
    },
  });
  const buildAgent =
    (agent: Agent, settings: AgentSettings): Build<AgentClient> =>
    (identity) =>
      createAgentClient({
        ...common(identity, settings),
        agent,
        onEnvelope: settings.onEnvelope,
        turnTimeoutMs: settings.turnTimeoutMs ?? DEFAULT_TURN_TIMEOUT_MS,
        checkpoints: settings.checkpoints,
        maxParallelTurns: settings.maxParallelTurns ?? DEFAULT_PARALLEL_TURNS,
        networkTools: settings.networkTools ?? true,
        knowledge: settings.knowledge,
        deltaIntervalMs: settings.deltaIntervalMs ?? DEFAULT_DELTA_INTERVAL_MS,
        sendDelta(frame) {
          if (settings.stream === "off") return;
          const { session } = connection;
          if (session === null || session.profile === "ag2") return;
          if (session.bufferedBytes <= DELTA_CONGESTION_BYTES) session.send(frame);
        },
      });
  const buildHuman =
    (settings: HumanSettings): Build<HumanClient> =>
    (identity) =>
      createHumanClient({
        ...common(identity, settings),
        onEnvelope: settings.onEnvelope,
        autoAcceptInvites: settings.autoAcceptInvites ?? true,
        receipts: settings.receipts ?? "on_arrival",
        queueCapacity: settings.queueCapacity ?? DEFAULT_QUEUE_CAPACITY,
      });

  /** Registers a new identity and installs its client. */
  const enrolNew = <C extends ParticipantClient>(
    passport: Passport,
    settings: ParticipantSettings,
    build: Build<C>,
  ): Promise<C> => {
    const resume = createResume(settings.resume);
    const rule = createRule(settings.rule);
    const claims = createClaimSource(passport.name, passport.auth, credentials);
    return table.whileInstalling(async () => {
      const stamped = await offerClaims(claims, (claim) =>
        connection.call(
          operationCall("register", {
            passport: { ...passport, auth: { ...passport.auth, claim: { ...claim } } },
            resume,
            rule,
            skill_md: settings.skill ?? null,
          }),
        ),
      );
      return install(build({ passport: withId(stamped), resume, rule, auth: passport.auth }));
    });
  };

  /** Binds an identity that the hub has, and installs its client before anything comes for it. */
  const enrolKnown = async <C extends ParticipantClient>(
    agentId: string,
    claim: Readonly<Record<string, unknown>>,
    build: Build<C>,
  ): Promise<C> => {
    const [passport, resume, rule] = await Promise.all([
      hub.getAgent(agentId),
      hub.getResume(agentId),
      hub.getRule(agentId),
    ]);
    const auth = { scheme: passport.auth.scheme, claim };
    const made = build({ passport: withId(passport), resume, rule, auth });
    const client = install(made);
    try {
      await bindOnce(made.hosted);
      return client;
    } catch (error) {
      made.hosted.stop("refused", error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  };
  /** A break during the first binding is no refusal. */
  const bindOnce = async (hosted: Hosted<unknown>["hosted"]): Promise<void> => {
    for (;;) {
      const session = await connection.ready();
      try {
        return await binder.bind(session, hosted);
      } catch (error) {
        if (!isClientError(error) || error.code !== "client/connection_lost") throw error;
      }
    }
  };

  const enrolment: Enrolment = {
    async register(agent, settings = {}) {
      const passport = createPassport({ name: agent.name, ...settings.passport });
      if (effectiveKind(passport) === "human") {
        throw new TypeError("a passport of kind 'human' needs registerHuman instead of register");
      }
      return enrolNew(passport, settings, buildAgent(agent, settings));
    },
    async registerHuman(input, settings = {}) {
      const passport = createPassport({ ...input, kind: input.kind ?? "human" });
      if (passport.kind !== "human") {
        throw new TypeError("registerHuman takes a passport with kind='human', or without kind");
      }
      return enrolNew(passport, settings, buildHuman(settings));
    },
    async attach(agent, name, settings = {}) {
      const agentId = await hub.findAgentId(name);
      if (agentId !== null) {
        const claim = settings.passport?.auth?.claim ?? {};
        return enrolKnown(agentId, claim, buildAgent(agent, settings));
      }
      requireIdentity(name, settings);
      return enrolment.register(agent, { ...settings, passport: { ...settings.passport, name } });
    },
    async attachHuman(name, settings = {}) {
      const agentId = await hub.findAgentId(name);
      if (agentId !== null) {
        const claim = settings.passport?.auth?.claim ?? {};
        return enrolKnown(agentId, claim, buildHuman(settings));
      }
      requireIdentity(name, settings);
      return enrolment.registerHuman({ ...settings.passport, name }, settings);
    },
  };
  return enrolment;
}

function requireIdentity(
  name: string,
  { passport, resume }: { readonly passport?: unknown; readonly resume?: unknown },
): void {
  if (passport !== undefined && resume !== undefined) return;
  throw new TypeError(`'${name}' is not registered; give a passport and a resume to register it`);
}

function withId(passport: Passport): Passport & { readonly agent_id: string } {
  const { agent_id } = passport;
  if (agent_id !== null) return { ...passport, agent_id };
  throw new ClientError("client/bad_answer", "the hub gave a passport without an id");
}
