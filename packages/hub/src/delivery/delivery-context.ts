import type {
  ChannelMetadata,
  Clock,
  DeliveryRecord,
  Logger,
  RecordWrite,
  Store,
} from "@colloquy/protocol";
import type { Deadlines } from "../core/deadlines.js";
import type { HubLimits } from "../core/hub-limits.js";
import type { Listeners } from "../observe/hub-listener.js";
import type { HubMeters } from "../observe/hub-meters.js";
import type { Arbiter } from "../policy/arbiter.js";
import type { AgentTable } from "../registry/agent-table.js";
import type { DeliveredChannel } from "./delivery.js";

/** The pieces of a hub that delivery works on. `arbiter` is read anew at each use. */
export interface DeliveryContext {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Pick<Store, "readWal" | "readEnvelope" | "readDeliveries">;
  readonly limits: Pick<
    HubLimits,
    | "deliveryWindow"
    | "maxBufferedBytes"
    | "maxDeliveryAttempts"
    | "redeliveryBaseMs"
    | "redeliveryMaxMs"
    | "ledgerEnvelopes"
    | "maxDeadLetters"
    | "remoteDispatchTimeoutMs"
  >;
  readonly committer: {
    lazily(part: {
      readonly deliveries: readonly DeliveryRecord[];
      readonly records?: readonly RecordWrite[];
    }): void;
    /** Resolves when durable. */
    stage(work: { readonly records: readonly RecordWrite[] }): Promise<void>;
  };
  readonly deadlines: Pick<Deadlines, "set" | "clear">;
  readonly agents: Pick<AgentTable, "get" | "all">;
  readonly channels: {
    peek(channelId: string): Pick<DeliveredChannel, "participants"> | undefined;
    metadata(
      channelId: string,
    ): Promise<Pick<ChannelMetadata, "state" | "participants" | "invited"> | null>;
  };
  readonly listeners: Pick<Listeners, "emit">;
  readonly meters?: HubMeters | undefined;
  readonly arbiter: Pick<Arbiter, "authorizeDispatch">;
}
