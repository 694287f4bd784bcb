import type {
  ChannelMetadata,
  DeadLetter,
  DeliveryRecord,
  Envelope,
  HubConnection,
  LedgerLine,
  LinkPeer,
  RemoteProxy,
  StoredEnvelope,
  StoredRecord,
} from "@colloquy/protocol";
import type { DeliveryLag, RunningTurn } from "./backlog-facts.js";
import type { ChannelShare } from "./channel-share.js";
import type { DeadLetterFilter, DeadLetterPage } from "./dead-letter-page.js";
import type { Emptied } from "./emptied.js";
import type { Standing } from "./envelope-standing.js";
import type { Unsettled } from "./unsettled.js";

/** An envelope that is committed, ready to be released. */
export interface ReleasedEnvelope {
  readonly live: Pick<DeliveredChannel, "id" | "participants">;
  readonly envelope: Envelope;
  /** Its JSON, serialised once. */
  readonly text: string;
  readonly position: number;
  /** Who is to be notified, in order, each once. */
  readonly recipients: readonly string[];
}

/** A channel as delivery sees it. */
export interface DeliveredChannel {
  readonly id: string;
  readonly metadata: Pick<ChannelMetadata, "state" | "invited">;
  readonly head: { readonly position: number };
  /** Position of the newest envelope that is known to be durable. */
  readonly committed: number;
  readonly participants: ReadonlySet<string>;
  /** Those of them who are spoken to. */
  readonly addressed: ReadonlySet<string>;
}

/** What a receipt says, once its sender is known to be the recipient. */
export interface Receipt {
  readonly recipient_id: string;
  readonly channel_id: string;
  readonly envelope_id: string;
  readonly status: "ack" | "nack" | "taken_up";
  readonly reason: string;
}

/**
 * At-least-once delivery to the agents that are bound to connections.
 *
 * - R1: every notify stays outstanding until it is acknowledged or given up.
 * - R2: within a channel a recipient is sent envelopes in WAL order.
 * - R3: the cursor never moves backwards; what is outstanding is decided per envelope.
 * - R4: unsettled envelopes, a closed channel's last words included, are sent again on request.
 */
export interface Delivery {
  /** Ties an agent to a connection; an older one loses it. Sends nothing by itself. */
  bind(agentId: string, connection: BoundConnection): void;
  /** Unties one agent, or all of a connection. */
  unbind(agentId: string): void;
  unbindAll(connection: BoundConnection): void;
  /** The connection of an agent; null when offline. */
  connectionOf(agentId: string): BoundConnection | null;
  agentsOf(connection: BoundConnection): readonly string[];

  /** Records and sends one committed envelope. Never throws. */
  release(admitted: ReleasedEnvelope): void;
  /**
   * Runs the releases of one commit with every touched connection corked, so that each of them
   * gets the whole batch in one write. Uncorks whatever `run` throws; calls may nest.
   */
  withCork(run: () => void): void;
  /** Applies a receipt. Returns false when it names nothing that is known to be the recipient's. */
  receipt(receipt: Receipt): boolean;
  /**
   * Sends everything outstanding for the agent whose id sorts above `since`, in WAL order per
   * channel, closed channels included. Resolves when all of it has been handed over or waits for room.
   */
  replay(agentId: string, since: string): Promise<void>;

  /** Substantive envelopes outstanding for an agent, over all channels, announced ones included. */
  pending(agentId: string): number;
  /**
   * Counts a substantive envelope that is staged for these agents, so that what shares a commit
   * shares the room of an inbox; `retract` ends it, when the envelope is durable or has failed.
   */
  announce(agentIds: readonly string[]): void;
  retract(agentIds: readonly string[]): void;
  /** Newest acknowledged envelope id of an agent in a channel; empty for none. */
  cursor(agentId: string, channelId: string): string;
  /** Position of an envelope that an agent has outstanding in a channel; null when it has not. */
  outstandingAt(agentId: string, channelId: string, envelopeId: string): number | null;
  /** Who has how many envelopes of a channel outstanding; nobody with none is listed. */
  outstandingIn(
    channelId: string,
  ): readonly { readonly agent_id: string; readonly count: number }[];
  /** How an envelope stands with an agent; null when nothing is known of it any more. */
  standingOf(agentId: string, channelId: string, envelopeId: string): Standing | null;
  /** The oldest substantive envelope of a channel that each agent has outstanding and not answered, oldest first. */
  oldestOutstanding(channelId: string): readonly Standing[];
  /**
   * Calls back once, as soon as nothing of a channel is outstanding for anybody; at once when that is
   * so. A newer call, or null, takes the place of an older one.
   */
  whenIdle(channelId: string, run: (() => void) | null): void;
  /** State per recipient of one envelope, as far as it is still kept. */
  ledger(channelId: string, envelopeId: string): readonly LedgerLine[];
  /** Keeps for the ledger that an agent's turn on an envelope has failed. */
  turnFailed(failure: {
    readonly agent_id: string;
    readonly channel_id: string;
    readonly envelope_id: string;
    readonly error: string;
  }): void;
  /** Times that a recipient of a recent envelope could not be reached. */
  dispatchFailures(envelopeId: string): number;
  /** False while a remote participant has not been tried; `onEnvelopeDispatched` tells when it has. */
  isDispatched(envelopeId: string): boolean;

  listDeadLetters(filter: DeadLetterFilter): DeadLetterPage;
  /** Makes a dead letter outstanding again. Throws `NotFoundError`, or `ProtocolError` when it cannot be. */
  retryDeadLetter(recipientId: string, envelopeId: string): Promise<DeadLetter>;
  /** Forgets a dead letter for good. Throws `NotFoundError`. */
  dropDeadLetter(recipientId: string, envelopeId: string): Promise<void>;

  /** Uses a proxy for participants of kind `remote_agent` with its scheme; an earlier one is closed. */
  registerRemoteProxy(proxy: RemoteProxy): void;
  /** False when there is none. */
  unregisterRemoteProxy(scheme: string): boolean;
  remoteProxyFor(scheme: string): RemoteProxy | null;
  closeRemoteProxies(): Promise<void>;

  /** What waits for an agent, channel by channel; ended channels are read first. Rejects with `StoreError`. */
  inbox(agentId: string): Promise<readonly ChannelShare[]>;
  /** Gives up what counts against an agent's inbox; see `Emptied`. Rejects with `StoreError`. */
  empty(
    agentId: string,
    what: { readonly channelId: string | null; readonly reason: string },
  ): Promise<Emptied>;
  /** Where one of the hub's newest envelopes stands and how deep it is, null for unknown; undefined when it is not among them. */
  recent(
    envelopeId: string,
  ): { readonly channelId: string; readonly depth: number | null } | undefined;

  /** Takes up the records of a start, before any channel is loaded. */
  restore(records: readonly DeliveryRecord[]): void;
  /** Takes up the stored ledger of a start, oldest first, before anything is released. */
  restoreLedger(records: readonly StoredRecord[]): void;
  /** Takes up the dead letters of a start, once the open channels are loaded. */
  restoreDeadLetters(records: readonly StoredRecord[]): Promise<void>;
  /** True if this process has accounted for a part of the channel. */
  follows(channelId: string): boolean;
  /**
   * What each member of a channel that is about to end has settled so far. It is to be written with
   * the channel's last words, so that these find everybody after a kill.
   */
  recordsAtEnd(channel: Pick<DeliveredChannel, "id" | "participants">): readonly DeliveryRecord[];
  /** Lowest position that some member has not settled, so that the loader knows what to read; `head + 1` if none. */
  oldestUnsettled(channel: DeliveredChannel): number;
  /** Judges a page of a channel's WAL for its members, so that its content need not be kept for `load`. */
  weigh(channel: DeliveredChannel, page: readonly StoredEnvelope[]): Unsettled[];
  /** Rebuilds what is outstanding of a channel that was just loaded, from what was weighed of it. */
  load(channel: DeliveredChannel, envelopes: readonly Unsettled[]): void;
  /**
   * A channel's memory was dropped. What is outstanding stays, because it does not depend on it; of
   * an ended channel the rest is let go, cursors included.
   */
  forget(channelId: string): void;
  /** Forgets an agent that has unregistered. */
  drop(agentId: string): void;

  /** The queued envelope that has waited longest for an agent that is connected; null for none. */
  lag(): DeliveryLag | null;
  /** Turns that were taken up at an instant, in epoch milliseconds, or before and still run, oldest first. */
  turnsTakenUpBy(at: number): readonly RunningTurn[];
  readonly totals: { readonly pending: number; readonly deepest: number | null };
  /** Writes the records that lag behind, and sends nothing more. */
  stop(): void;
}

/** A connection as delivery sees it. */
export interface BoundConnection {
  readonly endpointId: string;
  readonly peer: LinkPeer;
  readonly connection: HubConnection;
}
