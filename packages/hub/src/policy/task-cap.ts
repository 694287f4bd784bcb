import { ALLOW, type Party, type Verdict } from "./arbiter.js";

/**
 * The gate of `limits.max_concurrent_tasks`, asked when a task is first observed.
 *
 * @param owner - who runs the task
 * @param openTasks - the owner's tasks that have not ended
 */
export function judgeTaskCap(owner: Party, openTasks: number): Verdict {
  const cap = owner.rule.limits.max_concurrent_tasks;
  if (cap <= 0 || openTasks < cap) return ALLOW;
  const count = `${openTasks} >= ${cap}`;
  return {
    allow: false,
    reason: `owner '${owner.id}' exceeded max_concurrent_tasks (${count})`,
  };
}
