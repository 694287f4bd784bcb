import * as z from "zod";
import { passportKindSchema, passportSchema } from "../registry/passport.js";
import { resumeSchema } from "../registry/resume.js";
import { ruleSchema } from "../registry/rule.js";
import { limitParam, nothing, nullableParam, optionalParam } from "./optional-param.js";

const byAgent = z.object({ agent_id: z.string() });

/** Operations on participants: who they are, what they can do, what they may do. */
export const registryOperations = {
  /** Registers a participant and binds it to the connection; gives the stamped passport. */
  register: {
    params: z.object({
      passport: passportSchema,
      resume: resumeSchema,
      rule: nullableParam(ruleSchema),
      skill_md: nullableParam(z.string()),
    }),
    result: passportSchema,
  },
  /** Takes a participant out of the registry. */
  unregister: { params: byAgent, result: nothing },
  /** Passport by name or id, without its claim. */
  get_agent: { params: z.object({ name_or_id: z.string() }), result: passportSchema },
  get_resume: { params: byAgent, result: resumeSchema },
  get_rule: { params: byAgent, result: ruleSchema },
  /** Skill text, or null when there is none. */
  get_skill: { params: byAgent, result: z.string().nullable() },
  /** Id of a name, or null. */
  find_agent_id: { params: z.object({ name: z.string() }), result: z.string().nullable() },
  /** Id to name; an unknown id stands for itself. */
  names_for: {
    params: z.object({ agent_ids: optionalParam(z.array(z.string()), []) }),
    result: z.record(z.string(), z.string()),
  },
  /**
   * Passports in order of registration, or as `sort_by` says: `name`, `track_record` or `latency`.
   * `evidence` narrows `capability` to those that claim it, or to those that have shown it.
   */
  list_agents: {
    params: z.object({
      capability: nullableParam(z.string()),
      evidence: nullableParam(z.enum(["claimed", "observed"])),
      query: nullableParam(z.string()),
      kind: nullableParam(passportKindSchema),
      sort_by: nullableParam(z.string()),
      limit: limitParam,
    }),
    result: z.array(passportSchema),
  },
  set_resume: { params: byAgent.extend({ resume: resumeSchema }), result: nothing },
  /** Stores a skill text; null takes it away. */
  set_skill: { params: byAgent.extend({ skill_md: nullableParam(z.string()) }), result: nothing },
  set_rule: { params: byAgent.extend({ rule: ruleSchema }), result: nothing },
};
