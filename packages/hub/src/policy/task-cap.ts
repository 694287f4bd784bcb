import { ALLOW, type TaskRequest, type Verdict } from "./arbiter.js";

/** The gate of `limits.max_concurrent_tasks`. */
export function judgeTaskCap({
  owner,
  openTasks,
}: Pick<TaskRequest, "owner" | "openTasks">): Verdict {
  const cap = owner.rule.limits.max_concurrent_tasks;
  if (cap <= 0 || openTasks < cap) return ALLOW;
  const count = `${openTasks} >= ${cap}`;
  return {
    allow: false,
    reason: `owner '${owner.id}' exceeded max_concurrent_tasks (${count})`,
  };
}
