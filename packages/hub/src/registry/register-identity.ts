import {
  checkAgentName,
  chooseHandle,
  createRule,
  effectiveKind,
  foldName,
  isId,
  nameKeys,
  type Passport,
  ProtocolError,
  parseWith,
  passportSchema,
  providerHandle,
  publicPassport,
  type RecordWrite,
  resumeSchema,
  UnavailableError,
} from "@colloquy/protocol";
import type { Credential } from "../auth/auth-registry.js";
import { checkClaim } from "../auth/check-claim.js";
import { auditedWork } from "../observe/audit-log.js";
import { decide } from "../policy/decide.js";
import type { AgentEntry } from "./agent-table.js";
import { checkRule } from "./check-rule.js";
import { handleRecord } from "./handle-record.js";
import type { RegisterIdentity } from "./register-input.js";
import { type RegistryWork, stampNow } from "./registry-context.js";
import { requireResumeSize, requireSkillSize } from "./set-records.js";
import { stageRecords } from "./stage-records.js";

/** A registered agent, and what it has proven itself with. */
export interface Enrolled {
  readonly agent_id: string;
  readonly registered: Passport;
  /** Null for a scheme whose claims have no end. */
  readonly credential: Credential | null;
}

/**
 * Registers an agent.
 *
 * Order of checks: shape and name, the claim by its scheme (not for `remote_agent`), the arbiter,
 * then whether the name is free. From there on the name is taken: of several registrations at one
 * time one wins. The agent is seen by others once it is durable; a failed commit leaves no trace.
 */
export async function registerIdentity(
  work: RegistryWork,
  input: RegisterIdentity,
): Promise<Enrolled> {
  requireAccepting(work);
  const request = readInput(input);
  const { passport } = request;
  let credential: Credential | null = null;
  if (effectiveKind(passport) !== "remote_agent") {
    const { scheme, claim } = passport.auth;
    credential = await checkClaim(work.context, passport, scheme, claim);
    requireAccepting(work);
  }
  const { resume, rule } = request;
  decide(
    work.context.arbiter.authorizeRegister({ passport: publicPassport(passport), resume, rule }),
  );
  requireFreeName(work, passport.name);
  requireResumeSize(work.context, resume);
  requireSkillSize(work.context, request.skill);
  requireRoom(work);

  const at = stampNow(work.context);
  const id = work.context.ids.next();
  const stamped = { ...publicPassport(passport), agent_id: id, created_at: at };
  const entry: AgentEntry = { id, passport: stamped, resume, rule };
  const { agents } = work.context;
  const keys = nameKeys(passport.name);
  const isTaken = (name: string) => agents.isHandleTaken(name) || work.reservedHandles.has(name);
  const handle = chooseHandle(passport.name, id, isTaken);
  for (const key of keys) work.reserved.set(key, id);
  work.reservedHandles.add(handle);
  const free = (): void => {
    for (const key of keys) work.reserved.delete(key);
    work.reservedHandles.delete(handle);
  };
  const records = recordsOf(entry, request.skill);
  // What follows from the name is not stored beside it.
  if (handle !== providerHandle(passport.name)) records.push(handleRecord(id, handle));
  await stageRecords(work.context.committer, records, {
    audited: auditedWork(work.context.audit, {
      kind: "agent_registered",
      agent_id: id,
      name: stamped.name,
    }),
    onCommitted() {
      agents.put(entry, handle);
      free();
      work.context.listeners.emit("onAgentEvent", id, "registered", { passport: stamped, at });
    },
    onUndone: free,
  });
  return { agent_id: id, registered: publicPassport(stamped), credential };
}

function requireAccepting({ context }: RegistryWork): void {
  if (!context.accepting)
    throw new UnavailableError("the hub takes no new registrations: it is closing");
}

/** Checked copies of what came in, so that a caller's later changes do not reach the registry. */
function readInput({ passport: given, resume, rule, skill_md }: RegisterIdentity) {
  const parsed = parseWith(passportSchema, given, "passport");
  const passport = { ...parsed, name: checkAgentName(parsed.name) };
  if (isId(foldName(passport.name))) {
    throw new ProtocolError(
      `name '${passport.name}' has the form of an agent id; choose one that is not 32 hex digits`,
    );
  }
  return {
    passport,
    resume: parseWith(resumeSchema, resume, "resume"),
    rule: rule ? checkRule(rule) : createRule(),
    skill: skill_md ?? null,
  };
}

function requireRoom({ context, reservedHandles }: RegistryWork): void {
  const { maxAgents } = context.limits;
  if (context.agents.size + reservedHandles.size < maxAgents) return;
  throw new UnavailableError(
    `the hub has ${context.agents.size} agents, its limit (maxAgents); unregister one that is not needed`,
  );
}

function requireFreeName({ context, reserved }: RegistryWork, name: string): void {
  const { agents } = context;
  const holder =
    agents.holdersOf(name)[0] ?? nameKeys(name).flatMap((key) => reserved.get(key) ?? [])[0];
  if (holder === undefined) return;
  const held = agents.nameFor(holder, name);
  const spelling = held === name ? "" : ` as '${held}', which readers could confuse with it,`;
  throw new ProtocolError(
    `name '${name}' is already registered${spelling} by agent ${holder}; attach to it, or choose another name`,
  );
}

function recordsOf({ id, passport, resume, rule }: AgentEntry, skill: string | null) {
  const records: RecordWrite[] = [
    { kind: "agent", id, value: JSON.stringify(passport) },
    { kind: "resume", id, value: JSON.stringify(resume) },
    { kind: "rule", id, value: JSON.stringify(rule) },
  ];
  return skill === null ? records : [...records, { kind: "skill" as const, id, value: skill }];
}
