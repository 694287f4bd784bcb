import * as z from "zod";

/** States of a task; the last four are final. */
export const TASK_STATES = [
  "created",
  "running",
  "completed",
  "failed",
  "expired",
  "cancelled",
] as const;

/** One of {@link TASK_STATES}. */
export const taskStateSchema = z.enum(TASK_STATES);

/** What a task is to do. Unknown fields are passed over. */
export const taskSpecSchema = z.object({
  title: z.string(),
  description: z.string().default(""),
  payload: z.record(z.string(), z.unknown()).default({}),
  /** Capability whose track record the outcome counts for. */
  capability: z.string().nullable().default(null),
});

/** What the hub knows of a task that a participant runs. Unknown fields are passed over. Times are ISO. */
export const taskMetadataSchema = z.object({
  task_id: z.string(),
  owner_id: z.string(),
  spec: taskSpecSchema,
  state: taskStateSchema,
  created_at: z.string().default(""),
  started_at: z.string().nullable().default(null),
  completed_at: z.string().nullable().default(null),
  expires_at: z.string().nullable().default(null),
  last_progress_at: z.string().nullable().default(null),
  progress: z.record(z.string(), z.unknown()).default({}),
  result: z.unknown().default(null),
  error: z.string().default(""),
  channel_id: z.string().nullable().default(null),
});

/** State of a task. */
export type TaskState = z.infer<typeof taskStateSchema>;
/** What a task is to do. */
export type TaskSpec = z.infer<typeof taskSpecSchema>;
/** What a task is to do, as a caller writes it: only `title` is required. */
export type TaskSpecInput = z.input<typeof taskSpecSchema>;
/** What the hub knows of a task, with all fields. */
export type TaskMetadata = z.infer<typeof taskMetadataSchema>;

const TERMINAL: ReadonlySet<TaskState> = new Set(["completed", "failed", "expired", "cancelled"]);

/**
 * Tells whether a state is final: nothing leaves it.
 *
 * @param state - a task's state
 */
export function isTerminalTaskState(state: TaskState): boolean {
  return TERMINAL.has(state);
}
