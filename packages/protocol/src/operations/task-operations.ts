import * as z from "zod";
import { taskMetadataSchema, taskStateSchema } from "../task/task.js";
import { jsonObject, limitParam, nothing, nullableParam, optionalParam } from "./optional-param.js";

const byTask = z.object({ task_id: z.string() });

/** Operations on tasks, which participants run and the hub observes. */
export const taskOperations = {
  get_task: { params: byTask, result: taskMetadataSchema },
  /** Tasks in order of observation; `after` is the id of the last one of the page before. */
  list_tasks: {
    params: z.object({
      agent_id: nullableParam(z.string()),
      channel_id: nullableParam(z.string()),
      state: nullableParam(taskStateSchema),
      limit: limitParam,
      after: nullableParam(z.string()),
    }),
    result: z.array(taskMetadataSchema),
  },
  /** Makes a task known, or brings what is known of it up to date. */
  observe_task: { params: z.object({ metadata: taskMetadataSchema }), result: nothing },
  /** Adds progress, a result, an error or a new state; null leaves a field as it is. */
  update_task: {
    params: byTask.extend({
      state: nullableParam(taskStateSchema),
      progress: nullableParam(jsonObject),
      result: nullableParam(z.unknown()),
      error: optionalParam(z.string(), ""),
    }),
    result: nothing,
  },
  /** Counts the outcome of a task for its owner's track record. */
  record_observation: {
    params: z.object({
      owner_id: z.string(),
      capability: z.string(),
      outcome: taskStateSchema,
      /** Milliseconds from start to end. */
      latency_ms: nullableParam(z.int()),
      task_id: nullableParam(z.string()),
    }),
    result: nothing,
  },
  /** Passes an event of a task on to the hub's listeners. */
  fire_task_event: {
    params: byTask.extend({ kind: z.string(), payload: optionalParam(jsonObject, {}) }),
    result: nothing,
  },
  /** Stores where a task has got to. */
  checkpoint_task: { params: byTask.extend({ state: jsonObject }), result: nothing },
  /** Last stored checkpoint, or null. */
  read_task_checkpoint: { params: byTask, result: jsonObject.nullable() },
};
