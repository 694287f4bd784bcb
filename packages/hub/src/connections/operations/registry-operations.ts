import {
  AccessDeniedError,
  effectiveKind,
  type OperationName,
  type Passport,
  publicPassport,
} from "@colloquy/protocol";
import { bindAgent, requireRoomForAgent } from "../bind-agent.js";
import { keepCredential, requireCurrent } from "../credentials.js";
import { requireProof } from "../hello.js";
import { refreshPresence } from "../presence.js";
import type { Caller, Operations, RawParams } from "./operation.js";
import { requireBound } from "./scopes.js";

type RegistryOperationName = Extract<
  OperationName,
  | "register"
  | "unregister"
  | "get_agent"
  | "get_resume"
  | "get_rule"
  | "get_skill"
  | "get_track_record"
  | "find_agent_id"
  | "names_for"
  | "list_agents"
  | "set_resume"
  | "set_skill"
  | "set_rule"
>;

const byAgent = (caller: Caller, raw: RawParams): void => requireBound(caller, raw["agent_id"]);

/** Discovery is open to every connection; changes are the agent's own. */
export const registryOperations: Operations<RegistryOperationName> = {
  register: {
    async run({ work, session }, { passport, resume, rule, skill_md }): Promise<Passport> {
      if (effectiveKind(passport) === "remote_agent") {
        throw new AccessDeniedError("a remote_agent is not registered over a connection");
      }
      requireProof(session, passport.auth.scheme);
      requireRoomForAgent(work, session);
      // What was observed of an agent is the hub's to say.
      const input = { passport, resume: { ...resume, observed: {} }, rule, skill_md };
      session.registering += 1;
      const { agent_id, registered, credential } = await work.enrol(input).finally(() => {
        session.registering -= 1;
      });
      const held = credential === null ? null : { scheme: passport.auth.scheme, credential };
      if (!session.ended) {
        requireCurrent(work, held);
        bindAgent(work, session, agent_id);
        keepCredential(work, session, agent_id, held);
      }
      return publicPassport(registered);
    },
  },
  unregister: {
    authorize: byAgent,
    async run({ work, session }, { agent_id }): Promise<null> {
      await work.hub.unregister(agent_id);
      refreshPresence(work, session);
      return null;
    },
  },
  get_agent: {
    run: async ({ work }, { name_or_id }) => publicPassport(await work.hub.getAgent(name_or_id)),
  },
  get_resume: { run: ({ work }, { agent_id }) => work.hub.getResume(agent_id) },
  get_rule: { run: ({ work }, { agent_id }) => work.hub.getRule(agent_id) },
  get_skill: { run: ({ work }, { agent_id }) => work.hub.getSkill(agent_id), bulky: true },
  get_track_record: {
    run: ({ work }, { agent_id }) => work.hub.getTrackRecord(agent_id),
    bulky: true,
  },
  find_agent_id: { run: ({ work }, { name }) => work.hub.findAgentId(name) },
  names_for: {
    run: ({ work }, { agent_ids }) =>
      Object.fromEntries(agent_ids.map((id) => [id, work.hub.nameFor(id)])),
    bulky: true,
  },
  list_agents: {
    run: async ({ work }, filter) => (await work.hub.listAgents(filter)).map(publicPassport),
    bulky: true,
  },
  set_resume: {
    authorize: byAgent,
    async run({ work }, { agent_id, resume }): Promise<null> {
      await work.hub.setResume(agent_id, resume);
      return null;
    },
  },
  set_skill: {
    authorize: byAgent,
    async run({ work }, { agent_id, skill_md }): Promise<null> {
      await work.hub.setSkill(agent_id, skill_md);
      return null;
    },
  },
  set_rule: {
    authorize: byAgent,
    async run({ work }, { agent_id, rule }): Promise<null> {
      await work.hub.setRule(agent_id, rule);
      return null;
    },
  },
};
