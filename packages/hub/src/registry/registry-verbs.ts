import {
  NotFoundError,
  type Passport,
  type Resume,
  type Rule,
  type StoredRecord,
  type TrackRecord,
} from "@colloquy/protocol";
import { createTurns } from "../core/take-turns.js";
import { type AgentFilter, listAgents, passportOf } from "./list-agents.js";
import { type Observation, recordObservation } from "./record-observation.js";
import { type Enrolled, registerIdentity } from "./register-identity.js";
import type { RegisterIdentity } from "./register-input.js";
import { type RegistryContext, type RegistryWork, requireAgent } from "./registry-context.js";
import { restoreAgents } from "./restore-agents.js";
import { setResume, setRule, setSkill } from "./set-records.js";
import { createStagedValues } from "./staged-values.js";
import { readTrackRecord } from "./track-record.js";
import { type Left, unregister } from "./unregister.js";

/**
 * What can be done with the registry. All of it is durable when its promise resolves and visible
 * from then on; results are copies, and no passport carries a claim.
 *
 * An unknown agent is `NotFoundError`, except where null is said.
 */
export interface RegistryVerbs {
  /** Throws `InvalidInputError`, `AuthError`, `AccessDeniedError`, or `ProtocolError` for a name that is taken. */
  registerIdentity(input: RegisterIdentity): Promise<Passport>;
  /** {@link RegistryVerbs.registerIdentity}, giving what the agent has proven itself with as well. */
  enrol(input: RegisterIdentity): Promise<Enrolled>;
  unregister(agentId: string): Promise<Left>;
  /** By id first, then by name. */
  getAgent(nameOrId: string): Promise<Passport>;
  getResume(agentId: string): Promise<Resume>;
  getRule(agentId: string): Promise<Rule>;
  /** Null when the agent has none or is unknown. */
  getSkill(agentId: string): Promise<string | null>;
  listAgents(filter?: AgentFilter): Promise<readonly Passport[]>;
  setResume(agentId: string, resume: Resume): Promise<void>;
  setRule(agentId: string, rule: Rule): Promise<void>;
  setSkill(agentId: string, skill: string | null): Promise<void>;
  recordObservation(observation: Observation): Promise<void>;
  /** What was seen of an agent, by capability, with what it claims. */
  getTrackRecord(agentId: string): Promise<Readonly<Record<string, TrackRecord>>>;
  /** Takes up the records of a start; to be called once, before anything else. */
  restore(records: readonly StoredRecord[]): void;
}

/**
 * Makes the register verbs of one hub.
 *
 * @param context - the hub's parts, read anew at each call
 */
export function createRegistry(context: RegistryContext): RegistryVerbs {
  const work: RegistryWork = {
    context,
    stagedResumes: createStagedValues(),
    stagedRules: createStagedValues(),
    reserved: new Map(),
    reservedHandles: new Set(),
    leaving: new Set(),
    observing: createTurns(),
  };
  const { agents } = context;
  const entryOf = (nameOrId: string) =>
    agents.get(nameOrId) ?? agents.get(agents.idOf(nameOrId) ?? "");
  return {
    registerIdentity: async (input) => (await registerIdentity(work, input)).registered,
    enrol: (input) => registerIdentity(work, input),
    unregister: (agentId) => unregister(work, agentId),
    async getAgent(nameOrId) {
      const entry = entryOf(nameOrId);
      if (entry === undefined) throw new NotFoundError(`agent not found: ${nameOrId}`);
      return passportOf(entry);
    },
    getResume: async (agentId) => structuredClone(requireAgent(work, agentId).resume),
    getRule: async (agentId) => structuredClone(requireAgent(work, agentId).rule),
    getSkill: async (agentId) =>
      agents.get(agentId) ? context.store.readRecord("skill", agentId) : null,
    listAgents: async (filter) => listAgents(agents, context.store, filter),
    setResume: (agentId, resume) => setResume(work, agentId, resume),
    setRule: (agentId, rule) => setRule(work, agentId, rule),
    setSkill: (agentId, skill) => setSkill(work, agentId, skill),
    recordObservation: (observation) => recordObservation(work, observation),
    getTrackRecord: (agentId) => readTrackRecord(work, agentId),
    restore: (records) => restoreAgents(context, records),
  };
}
