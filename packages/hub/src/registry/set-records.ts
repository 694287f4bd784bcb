import {
  parseWith,
  type RecordWrite,
  type Resume,
  type Rule,
  resumeSchema,
} from "@colloquy/protocol";
import { requireSize } from "../core/json-copy.js";
import { auditedWork } from "../observe/audit-log.js";
import { checkRule } from "./check-rule.js";
import { type RegistryWork, requireAgent, stampNow } from "./registry-context.js";
import { stageRecords } from "./stage-records.js";

/**
 * Replaces what an agent says of itself. The version is the former one's plus 1, and what the hub
 * has observed stays, whatever the new resume says of either. `TooLargeError` beyond its limit.
 */
export async function setResume(
  work: RegistryWork,
  agentId: string,
  resume: Resume,
): Promise<void> {
  const former = currentResume(work, agentId);
  const at = stampNow(work.context);
  const version = former.version + 1;
  const { observed } = former;
  const said = parseWith(resumeSchema, resume, "resume");
  const next = { ...said, observed, version, last_updated: at };
  requireResumeSize(work.context, next);
  const audited = { source: "tenant", version };
  await storeResume(work, agentId, { resume: next, audited }, () => {
    const payload = { resume: structuredClone(next), version, at };
    work.context.listeners.emit("onAgentEvent", agentId, "resume_set", payload);
  });
}

/** The resume that the next change builds upon; throws `NotFoundError`. */
export function currentResume(work: RegistryWork, agentId: string): Resume {
  const entry = requireAgent(work, agentId);
  return work.stagedResumes.get(agentId) ?? entry.resume;
}

/** Holds a resume to its limit; throws `TooLargeError`. */
export function requireResumeSize(
  { limits }: Pick<RegistryWork["context"], "limits">,
  resume: Resume,
): void {
  requireSize(JSON.stringify(resume), limits.maxResumeBytes, "the resume");
}

/** Holds a skill text to its limit; throws `TooLargeError`. */
export function requireSkillSize(
  { limits }: Pick<RegistryWork["context"], "limits">,
  skill: string | null,
): void {
  if (skill !== null) requireSize(skill, limits.maxSkillBytes, "the skill text");
}

/** A new resume, and what is committed with it. */
export interface ResumeChange {
  readonly resume: Resume;
  readonly beside?: readonly RecordWrite[];
  /** Facts of its audit record `resume_set`. */
  readonly audited: Readonly<Record<string, unknown>>;
}

/** Makes a resume durable and then visible, with other records in the same commit. */
export async function storeResume(
  work: RegistryWork,
  agentId: string,
  { resume, beside = [], audited }: ResumeChange,
  onCommitted: () => void,
): Promise<void> {
  work.stagedResumes.set(agentId, resume);
  const record = { kind: "resume" as const, id: agentId, value: JSON.stringify(resume) };
  await stageRecords(work.context.committer, [record, ...beside], {
    audited: auditedWork(work.context.audit, { kind: "resume_set", agent_id: agentId, ...audited }),
    onCommitted() {
      work.stagedResumes.settle(agentId, resume);
      work.context.agents.change(agentId, { resume });
      onCommitted();
    },
    onUndone: () => work.stagedResumes.settle(agentId, resume),
  });
}

/** Replaces a rule. Its version is the former one's plus 1. It counts from the commit on. */
export async function setRule(work: RegistryWork, agentId: string, input: Rule): Promise<void> {
  const entry = requireAgent(work, agentId);
  const version = (work.stagedRules.get(agentId) ?? entry.rule).version + 1;
  const rule = { ...checkRule(input), version };
  work.stagedRules.set(agentId, rule);
  const record = { kind: "rule" as const, id: agentId, value: JSON.stringify(rule) };
  await stageRecords(work.context.committer, [record], {
    audited: auditedWork(work.context.audit, { kind: "rule_set", agent_id: agentId, version }),
    onCommitted() {
      work.stagedRules.settle(agentId, rule);
      work.context.agents.change(agentId, { rule });
      const payload = { rule: structuredClone(rule), version, at: stampNow(work.context) };
      work.context.listeners.emit("onAgentEvent", agentId, "rule_set", payload);
    },
    onUndone: () => work.stagedRules.settle(agentId, rule),
  });
}

/** Replaces a skill text; null takes it away. */
export async function setSkill(
  work: RegistryWork,
  agentId: string,
  skill: string | null,
): Promise<void> {
  requireAgent(work, agentId);
  requireSkillSize(work.context, skill);
  await stageRecords(work.context.committer, [{ kind: "skill", id: agentId, value: skill }], {
    audited: auditedWork(work.context.audit, {
      kind: "skill_set",
      agent_id: agentId,
      removed: skill === null,
    }),
    onCommitted() {
      const payload = { removed: skill === null, at: stampNow(work.context) };
      work.context.listeners.emit("onAgentEvent", agentId, "skill_set", payload);
    },
    onUndone: () => undefined,
  });
}
