import type {
  ChannelAdapter,
  Clock,
  IdSource,
  Link,
  Logger,
  PassportInput,
} from "@colloquy/protocol";
import type { ViewRegistry } from "@colloquy/views";
import type { Agent } from "./agent/agent.js";
import type { AgentClient } from "./agent/agent-client.js";
import type { ParticipantClient } from "./agent/participant-client.js";
import type { ReconnectOptions } from "./connection/reconnect-policy.js";
import type { CredentialSupplier } from "./host/credentials.js";
import type { AgentSettings, HumanSettings } from "./host/settings.js";
import type { HumanClient } from "./human/human-client.js";
import type { HubPort } from "./verbs/hub-port.js";

/** Options of `createHubClient`. */
export interface HubClientOptions {
  /** How to reach the hub. */
  readonly link: Link;
  /** Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /** Source of idempotency keys; default: one on the clock. */
  readonly ids?: IdSource | undefined;
  /** Default: says nothing. */
  readonly logger?: Logger | undefined;
  /** Numbers in [0, 1) that spread reconnects; default `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Channel types that agents here can take turns in; default: the four built-in ones. */
  readonly adapters?: readonly ChannelAdapter[] | undefined;
  /** Default: the built-in views. */
  readonly views?: ViewRegistry | undefined;
  /** Milliseconds until a request fails, waiting for a connection included; default 30,000. */
  readonly requestTimeoutMs?: number | undefined;
  /** Milliseconds of silence after which a remote `colloquy.v1` hub is pinged; default 15,000; 0: never. */
  readonly heartbeatMs?: number | undefined;
  /** How to reconnect; false: the first failure or close ends the client. */
  readonly reconnect?: ReconnectOptions | false | undefined;
  /** Credentials by participant name; default: the claim of the passport given here. */
  readonly credentials?: CredentialSupplier | undefined;
}

/**
 * One connection to a hub, and the participants that live on it.
 *
 * It dials at the first need and reconnects by itself; then every participant is bound again and
 * gets all that it has not settled. Requests run concurrently, so two participants of one client can
 * open a channel with each other.
 */
export interface HubClient extends HubPort, AsyncDisposable {
  /** Dials, unless it has; resolves when the connection is open. Rejects when that takes longer than a request may. */
  connect(): Promise<void>;
  /**
   * Registers an agent and binds it here. A name stays taken, also when the program has ended:
   * {@link HubClient.attach} takes it up again, and registers it the first time.
   *
   * @throws ProtocolError for a name that is taken
   * @throws TypeError for a passport of kind `human`
   */
  register(agent: Agent, settings?: AgentSettings): Promise<AgentClient>;
  /**
   * Registers a person and binds it here; {@link HubClient.attachHuman} takes one up again.
   *
   * @throws ProtocolError for a name that is taken
   * @throws TypeError for a passport of another kind than `human`
   */
  registerHuman(passport: PassportInput, settings?: HumanSettings): Promise<HumanClient>;
  /**
   * Binds a registered agent here, under any name; whatever it has not settled comes again. A name
   * that nobody has is registered, for which a passport and a resume must be given. Otherwise of the
   * passport only the credential counts.
   *
   * @throws TypeError when the name is not registered and passport or resume are missing
   */
  attach(agent: Agent, name: string, settings?: AgentSettings): Promise<AgentClient>;
  /** {@link HubClient.attach} for a person. */
  attachHuman(
    name: string,
    settings?: HumanSettings & { readonly passport?: PassportInput | undefined },
  ): Promise<HumanClient>;
  /** Those who take part through it now. */
  readonly participants: readonly ParticipantClient[];
  /** Unregisters everybody, as far as the hub can be reached, then closes. */
  shutdown(): Promise<void>;
}
