import * as z from "zod";
import { parseWith } from "../json/explain-issue.js";

/** Most globs that one list of a rule may hold. */
const MAX_RULE_GLOBS = 1_000;

/** Most characters of one glob; a name has fewer. Every delivery may match all of them. */
const MAX_GLOB_LENGTH = 256;

const globs = () => z.array(z.string().max(MAX_GLOB_LENGTH)).max(MAX_RULE_GLOBS).default(["*"]);
const duration = (value: string) => z.union([z.string(), z.int()]).default(value);
const count = (value: number) => z.int().default(value);

/** What to do with an envelope for a participant whose inbox is full. */
const inboxOverflowSchema = z.enum(["reject", "drop_oldest", "drop_newest"]);

/** Whom a participant hears, whom it may address, which channel types it may open or join: globs. */
const accessBlockSchema = z.strictObject({
  /** Globs over the names of senders that may reach it. */
  inbound_from: globs(),
  /** Globs over the names of recipients that it may address. */
  outbound_to: globs(),
  /** Globs over channel types. */
  channel_types: z.strictObject({ initiate: globs(), accept: globs() }).prefault({}),
});

/** How much a participant may do; 0 switches a limit off. Durations are seconds, or text such as `15m`. */
const limitsBlockSchema = z.strictObject({
  max_concurrent_channels: count(0),
  max_concurrent_tasks: count(0),
  channel_ttl_default: duration("2h"),
  task_ttl_default: duration("15m"),
  /** Envelopes a minute, and how many of them at once; a `burst` of 0 is a minute's worth. */
  rate: z.strictObject({ per_minute: count(0), burst: count(0) }).prefault({}),
  /** Longest chain of envelopes that answer each other across channels. */
  delegation_depth: count(5),
  inbox: z
    .strictObject({
      /** Envelopes outstanding for the participant. */
      max_pending: count(1000),
      overflow: inboxOverflowSchema.default("reject"),
      /** Fill that raises a warning; null means four fifths of `max_pending`, 0 or less means never. */
      high_water: z.int().nullable().default(null),
    })
    .prefault({}),
});

/** What one participant may do. Missing fields take their defaults; unknown fields are refused. */
export const ruleSchema = z.strictObject({
  /** One more with each change; counted by the hub. */
  version: count(1),
  access: accessBlockSchema.prefault({}),
  limits: limitsBlockSchema.prefault({}),
});

/** What one participant may do, with all fields. */
export type Rule = z.infer<typeof ruleSchema>;
/** A rule as a caller writes it: nothing is required, at any level. */
export type RuleInput = z.input<typeof ruleSchema>;

/**
 * Completes a rule.
 *
 * @param input - the fields that differ from their defaults, at any level
 * @returns a new rule with all fields
 * @throws InvalidInputError when a field is wrong or unknown
 */
export function createRule(input: RuleInput = {}): Rule {
  return parseWith(ruleSchema, input, "rule");
}
