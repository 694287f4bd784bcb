import * as z from "zod";
import { parseWith } from "../json/explain-issue.js";

/** Kinds of participant that a passport can name. */
const PASSPORT_KINDS = ["agent", "human", "remote_agent"] as const;

/** What a model costs; every field may be unknown. */
const costProfileSchema = z.strictObject({
  /** Price of a million input tokens, in the owner's currency. */
  input_per_mtok: z.number().nullable().default(null),
  /** Price of a million output tokens, in the owner's currency. */
  output_per_mtok: z.number().nullable().default(null),
  /** By convention `fast`, `balanced` or `deep`. */
  latency_tier: z.string().nullable().default(null),
});

/** How a participant proves who it is. */
const authBlockSchema = z.strictObject({
  /** Name of the scheme that checks the claim; `none` accepts all. */
  scheme: z.string().default("none"),
  issuer: z.string().nullable().default(null),
  audience: z.string().nullable().default(null),
  key_fingerprint: z.string().nullable().default(null),
  /** Secret input of the scheme. The hub reads it and never gives it out. */
  claim: z.record(z.string(), z.unknown()).default({}),
});

/** Kind of participant; null means `agent`. */
export const passportKindSchema = z.enum(PASSPORT_KINDS);

/**
 * Identity of one participant.
 *
 * Only `name` is required on input; the output has every field. Unknown fields are refused. The rule for names is
 * checked at registration, not here, so that records of other systems can be read.
 */
export const passportSchema = z.strictObject({
  /** Unique in a hub; see `checkAgentName` for the rule. */
  name: z.string(),
  owner: z.string().default(""),
  provider: z.string().nullable().default(null),
  model: z.string().nullable().default(null),
  cost: costProfileSchema.nullable().default(null),
  region: z.string().nullable().default(null),
  auth: authBlockSchema.prefault({}),
  kind: passportKindSchema.nullable().default(null),
  /** Home hub of a participant that lives elsewhere. */
  hub_id: z.string().nullable().default(null),
  version: z.int().default(1),
  /** Given by the hub at registration; null before. */
  agent_id: z.string().nullable().default(null),
  /** ISO time of registration, given by the hub; empty before. */
  created_at: z.string().default(""),
});

/** Price list of {@link Passport}. */
export type CostProfile = z.infer<typeof costProfileSchema>;
/** Proof of identity in a {@link Passport}. */
export type AuthBlock = z.infer<typeof authBlockSchema>;
/** Kind of participant. */
export type PassportKind = z.infer<typeof passportKindSchema>;
/** Identity with all twelve fields. */
export type Passport = z.infer<typeof passportSchema>;
/** Identity as a caller writes it: only `name` is required. */
export type PassportInput = z.input<typeof passportSchema>;

/**
 * Completes a passport.
 *
 * @param input - at least a name
 * @returns a new passport with all fields; `agent_id` and `created_at` are left to the hub
 * @throws TypeError when `kind` is none of {@link PASSPORT_KINDS}
 * @throws InvalidInputError when another field is wrong or unknown
 */
export function createPassport(input: PassportInput): Passport {
  const kind: unknown = input.kind ?? null;
  if (kind !== null && !passportKindSchema.safeParse(kind).success) {
    throw new TypeError(`passport kind must be one of ${PASSPORT_KINDS.join(", ")} (or null)`);
  }
  return parseWith(passportSchema, input, "passport");
}

/**
 * Kind of participant that a passport stands for.
 *
 * @param passport - a passport, or just its kind
 * @returns its kind, or `agent` when it names none
 */
export function effectiveKind(passport: Pick<Passport, "kind">): PassportKind {
  return passport.kind ?? "agent";
}
