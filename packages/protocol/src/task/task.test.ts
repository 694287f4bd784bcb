import { expect, it } from "vitest";
import { isTerminalTaskState, TASK_STATES, taskMetadataSchema } from "./task.js";

it("four states are final", () => {
  expect(TASK_STATES.filter(isTerminalTaskState)).toEqual([
    "completed",
    "failed",
    "expired",
    "cancelled",
  ]);
});

it("reads a task with missing optional and unknown fields", () => {
  const task = { task_id: "t", owner_id: "o", spec: { title: "x", odd: 1 }, state: "running" };
  expect(taskMetadataSchema.parse({ ...task, odd: 1 })).toEqual({
    task_id: "t",
    owner_id: "o",
    spec: { title: "x", description: "", payload: {}, capability: null },
    state: "running",
    created_at: "",
    started_at: null,
    completed_at: null,
    expires_at: null,
    last_progress_at: null,
    progress: {},
    result: null,
    error: "",
    channel_id: null,
  });
});

it.each(["task_id", "owner_id", "spec", "state"])("needs %s", (field) => {
  const task = { task_id: "t", owner_id: "o", spec: { title: "x" }, state: "created" };
  expect(taskMetadataSchema.safeParse({ ...task, [field]: undefined }).success).toBe(false);
});

it("refuses an unknown state", () => {
  const task = { task_id: "t", owner_id: "o", spec: { title: "x" }, state: "paused" };
  expect(taskMetadataSchema.safeParse(task).success).toBe(false);
});
