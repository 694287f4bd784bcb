import * as z from "zod";
import { parseWith } from "../json/explain-issue.js";

/** One finished piece of work that shows what a participant can do. */
export const resumeExampleSchema = z.strictObject({
  title: z.string(),
  outcome: z.string().default(""),
  task_id: z.string().nullable().default(null),
  channel_id: z.string().nullable().default(null),
  /** ISO time, if known. */
  when: z.string().nullable().default(null),
  note: z.string().default(""),
});

/** What the hub has seen of one capability. */
export const observedStatSchema = z.strictObject({
  /** Finished tasks, cancelled ones included. */
  n: z.int().default(0),
  completed: z.int().default(0),
  failed: z.int().default(0),
  expired: z.int().default(0),
  /** Median time to finish, in milliseconds; null before the first sample. */
  p50_latency_ms: z.int().nullable().default(null),
});

/** All that a hub tells of one capability of a participant; see {@link observedStatSchema} for the counts. */
export const trackRecordSchema = observedStatSchema.extend({
  /** The resume claims it. */
  claimed: z.boolean(),
  /** Tasks that were cancelled; they speak neither for nor against it. */
  cancelled: z.int(),
  /** Completed tasks among the completed, failed and expired ones, 0 to 1; null when there is none. */
  success_rate: z.number().nullable(),
  /** Time within which 95 of 100 tasks finish, in milliseconds; null before the first sample. */
  p95_latency_ms: z.int().nullable(),
});

/** What a participant says it can do, and what the hub has seen of it. Unknown fields are refused. */
export const resumeSchema = z.strictObject({
  claimed_capabilities: z.array(z.string()).default([]),
  domains: z.array(z.string()).default([]),
  /** The text that a search for participants reads. */
  summary: z.string().default(""),
  examples: z.array(resumeExampleSchema).default([]),
  /** Capability to what was seen of it; written by the hub. */
  observed: z.record(z.string(), observedStatSchema).default({}),
  /** One more with each change; counted by the hub. */
  version: z.int().default(1),
  /** ISO time of the last change; empty at registration. */
  last_updated: z.string().default(""),
});

/** Finished work in a {@link Resume}. */
export type ResumeExample = z.infer<typeof resumeExampleSchema>;
/** Track record of one capability in a {@link Resume}. */
export type ObservedStat = z.infer<typeof observedStatSchema>;
/** All that a hub tells of one capability of a participant. */
export type TrackRecord = z.infer<typeof trackRecordSchema>;
/** Abilities and track record, with all fields. */
export type Resume = z.infer<typeof resumeSchema>;
/** Abilities as a caller writes them: nothing is required. */
export type ResumeInput = z.input<typeof resumeSchema>;

/**
 * Completes a resume.
 *
 * @param input - the fields that differ from their defaults
 * @returns a new resume with all fields
 * @throws InvalidInputError when a field is wrong or unknown
 */
export function createResume(input: ResumeInput = {}): Resume {
  return parseWith(resumeSchema, input, "resume");
}
