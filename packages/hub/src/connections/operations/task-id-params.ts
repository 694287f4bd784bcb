import { checkTaskId } from "../../tasks/task-id.js";
import type { RawParams } from "./operation.js";

/** Records inside parameters that may name a task. */
const HOLDERS = ["metadata", "envelope"] as const;

/**
 * Checks every task id that parameters hold, whatever the operation.
 *
 * @throws ProtocolError
 */
export function checkTaskIds(raw: RawParams): void {
  check(raw["task_id"]);
  for (const key of HOLDERS) {
    const holder = raw[key];
    if (typeof holder === "object" && holder !== null) check(Reflect.get(holder, "task_id"));
  }
}

function check(taskId: unknown): void {
  if (typeof taskId === "string") checkTaskId(taskId);
}
