import {
  type Clock,
  formatTimestamp,
  type IdSource,
  type Logger,
  NotFoundError,
  type Resume,
  type Rule,
  type Store,
} from "@colloquy/protocol";
import type { AuthRegistry } from "../auth/auth-registry.js";
import type { Committer } from "../commit/committer.js";
import type { HubLimits } from "../core/hub-limits.js";
import type { TakeTurns } from "../core/take-turns.js";
import type { AuditLog } from "../observe/audit-log.js";
import type { Listeners } from "../observe/hub-listener.js";
import type { Arbiter } from "../policy/arbiter.js";
import type { AgentEntry } from "./agent-table.js";
import type { MutableAgentTable } from "./mutable-agent-table.js";
import type { StagedValues } from "./staged-values.js";

/** What the register verbs work on; a hub's context with its mutable table is one. */
export interface RegistryContext {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly store: Pick<Store, "readRecord" | "listRecords">;
  readonly committer: Pick<Committer, "stage">;
  readonly audit: AuditLog;
  readonly agents: MutableAgentTable;
  readonly listeners: Pick<Listeners, "emit">;
  readonly auth: AuthRegistry;
  readonly delivery: {
    drop(agentId: string): void;
    connectionOf(agentId: string): { readonly endpointId: string } | null;
  };
  readonly allowances: { drop(agentId: string): void };
  readonly arbiter: Pick<Arbiter, "authorizeRegister">;
  readonly accepting: boolean;
  readonly limits: Pick<
    HubLimits,
    "countedTasksPerAgent" | "maxAgents" | "maxResumeBytes" | "maxSkillBytes"
  >;
}

/** The register verbs' ground: the hub's parts, and what is under way. */
export interface RegistryWork {
  readonly context: RegistryContext;
  readonly stagedResumes: StagedValues<Resume>;
  readonly stagedRules: StagedValues<Rule>;
  /** Forms of names that a registration under way has taken, with its agent id; see `nameKeys`. */
  readonly reserved: Map<string, string>;
  /** Handles that a registration under way has taken. */
  readonly reservedHandles: Set<string>;
  /** Agents whose unregistration is under way. */
  readonly leaving: Set<string>;
  /** What is observed of one agent, one after the other. */
  readonly observing: TakeTurns;
}

/** The entry of an agent that is registered and stays so; throws `NotFoundError`. */
export function requireAgent(work: RegistryWork, agentId: string): AgentEntry {
  const entry = work.context.agents.get(agentId);
  if (entry === undefined || work.leaving.has(agentId)) {
    throw new NotFoundError(`agent not found: ${agentId}`);
  }
  return entry;
}

/** The present time as records carry it. */
export function stampNow({ clock }: Pick<RegistryContext, "clock">): string {
  return formatTimestamp(clock.now());
}
