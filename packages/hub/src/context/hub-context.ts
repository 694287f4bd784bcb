import type { Clock, IdSource, Logger, Store } from "@colloquy/protocol";
import type { AuthRegistry } from "../auth/auth-registry.js";
import type { KeyRing } from "../auth/keys/key-ring.js";
import type { OperatorGate } from "../auth/operator-gate.js";
import type { Committer } from "../commit/committer.js";
import type { Deadlines } from "../core/deadlines.js";
import type { HubLimits } from "../core/hub-limits.js";
import type { Delivery } from "../delivery/delivery.js";
import type { AdapterRegistry } from "../live/adapter-registry.js";
import type { ChannelTable } from "../live/channel-table.js";
import type { AuditLog } from "../observe/audit-log.js";
import type { EnvelopeTraces } from "../observe/envelope-traces.js";
import type { Listeners } from "../observe/hub-listener.js";
import type { HubMeters } from "../observe/hub-meters.js";
import type { Refusals } from "../observe/refusals.js";
import type { Allowances } from "../policy/allowances.js";
import type { Arbiter } from "../policy/arbiter.js";
import type { AgentTable } from "../registry/agent-table.js";

/** What every verb of the hub works on. Built once by `openHub`; nothing here is global. */
export interface HubContext {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly store: Store;
  readonly limits: HubLimits;
  readonly committer: Committer;
  readonly deadlines: Deadlines;
  readonly agents: AgentTable;
  readonly adapters: AdapterRegistry;
  readonly channels: ChannelTable;
  readonly delivery: Delivery;
  readonly listeners: Listeners;
  /** The audit log in force; replaceable while the hub runs. */
  audit: AuditLog;
  readonly refusals: Refusals;
  readonly auth: AuthRegistry;
  readonly keys: KeyRing;
  readonly operators: OperatorGate;
  /** Undefined while nobody traces, which costs one look. */
  readonly traces: EnvelopeTraces | undefined;
  /** Undefined while nobody measures. */
  readonly meters: HubMeters | undefined;
  /** What senders have used of the rates that their rules set. */
  readonly allowances: Allowances;
  /** The arbiter in force; replaceable while the hub runs. */
  arbiter: Arbiter;
  /** False once the hub drains: new posts, opens and registrations are refused. */
  accepting: boolean;
}
