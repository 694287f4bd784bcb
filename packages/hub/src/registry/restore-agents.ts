import {
  createResume,
  createRule,
  type Logger,
  type Passport,
  passportSchema,
  publicPassport,
  type Resume,
  type Rule,
  resumeSchema,
  ruleSchema,
  type StoredRecord,
} from "@colloquy/protocol";
import type * as z from "zod";
import { readHandles } from "./handle-record.js";
import type { RegistryContext } from "./registry-context.js";

/** Stands for a rule that cannot be read: nobody is heard and nobody addressed until it is set again. */
const CLOSED_RULE: Rule = createRule({
  access: { inbound_from: [], outbound_to: [], channel_types: { initiate: [], accept: [] } },
});

/**
 * Takes up the agents of a start, in the order of their ids, which is that of registration.
 *
 * A missing rule is the default rule, a missing or broken resume is an empty one; a rule that
 * cannot be read closes its agent off, and an agent whose passport cannot be read is left out. Each
 * of these is logged and stops nobody else.
 */
export function restoreAgents(
  context: Pick<RegistryContext, "agents" | "ids" | "logger">,
  records: readonly StoredRecord[],
): void {
  const { agents, ids, logger } = context;
  const texts = new Map(records.map(({ kind, id, value }) => [`${kind} ${id}`, value]));
  const agentIds = records.filter(({ kind }) => kind === "agent").map(({ id }) => id);
  const handles = readHandles(records);
  for (const id of agentIds.sort()) {
    ids.advancePast(id);
    const passport = read(passportSchema, texts.get(`agent ${id}`), `passport of ${id}`, logger);
    if (!passport) continue;
    const resume = read(resumeSchema, texts.get(`resume ${id}`), `resume of ${id}`, logger);
    const rule = read(ruleSchema, texts.get(`rule ${id}`), `rule of ${id}`, logger);
    agents.put(
      {
        id,
        passport: restorePassport(passport, id),
        resume: resume ?? createResume(),
        rule: restoreRule(rule),
      },
      handles.get(id),
    );
  }
}

function restorePassport(passport: Passport, id: string): Passport {
  return { ...publicPassport(passport), agent_id: id };
}

function restoreRule(rule: Rule | null | undefined): Rule {
  if (rule === undefined) return createRule();
  return rule ?? structuredClone(CLOSED_RULE);
}

/** The record; undefined when there is none, null when it cannot be read. */
function read<S extends z.ZodType<Passport | Resume | Rule>>(
  schema: S,
  text: string | undefined,
  what: string,
  logger: Logger,
): z.output<S> | undefined | null {
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    logger.error({ record: what }, "a stored record cannot be read");
    return null;
  }
}
