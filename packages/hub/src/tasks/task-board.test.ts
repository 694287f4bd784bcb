import {
  AccessDeniedError,
  createIdSource,
  createPassport,
  createResume,
  createRule,
  formatTimestamp,
  InvalidInputError,
  NotFoundError,
  ProtocolError,
  type Rule,
  type Store,
  StoreError,
  type TaskMetadata,
  TooLargeError,
  taskMetadataSchema,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createRecordingLogger, FAKE_START_MS, settle } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createCommitter } from "../commit/group-committer.js";
import { createDeadlines } from "../core/deadline-heap.js";
import { createListeners } from "../observe/listeners.js";
import { createRuleArbiter } from "../policy/rule-arbiter.js";
import { createAgentTable } from "../registry/mutable-agent-table.js";
import { createTaskBoard } from "./task-board.js";

const OWNER = "owner";
const IN_A_MINUTE = formatTimestamp(FAKE_START_MS + 60_000);

/** A running task. */
function task(task_id: string, rest: Partial<TaskMetadata> = {}): TaskMetadata {
  return taskMetadataSchema.parse({
    ...{ task_id, owner_id: OWNER, spec: { title: "sums", capability: "math" }, state: "running" },
    ...rest,
  });
}

async function open(store: Store = createMemoryStore(), rule: Rule = createRule()) {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const committer = createCommitter({
    store,
    clock,
    logger,
    startRow: 0,
    onFailed: () => undefined,
  });
  const listeners = createListeners(logger);
  const events: { id: string; kind: string; payload: Readonly<Record<string, unknown>> }[] = [];
  listeners.add({ onTaskEvent: (id, kind, payload) => void events.push({ id, kind, payload }) });
  const agents = createAgentTable();
  const passport = createPassport({ name: "ada", agent_id: OWNER });
  agents.put({ id: OWNER, passport, resume: createResume(), rule });
  const deadlines = createDeadlines(clock);
  const limits = { maxCheckpointBytes: 500, endedTasksInMemory: 2 };
  const ids = createIdSource({ clock });
  const board = createTaskBoard({
    ...{ clock, ids, logger, store, committer, listeners, agents, deadlines, limits },
    arbiter: createRuleArbiter(),
  });
  board.restore((await store.recover()).records);
  return { clock, store, committer, deadlines, events, logger, board };
}

/** A memory store of which these commits fail, counted from 1. */
function failingCommits(failing: readonly number[]): Store {
  const store = createMemoryStore();
  let commits = 0;
  return {
    ...store,
    commit(batch) {
      commits += 1;
      return failing.includes(commits)
        ? Promise.reject(new StoreError("disk full"))
        : store.commit(batch);
    },
  };
}

describe("observeTask", () => {
  it("makes a task known, for its owner need not be registered", async () => {
    const { board, events } = await open();
    await board.observeTask(task("t1", { owner_id: "stranger" }));
    expect(await board.getTask("t1")).toEqual(task("t1", { owner_id: "stranger" }));
    expect(events).toEqual([]);
  });

  it("brings a known task up to date and keeps its spec", async () => {
    const { board } = await open();
    await board.observeTask(task("t1", { state: "created", progress: { a: 1, b: 1 } }));
    await board.observeTask(
      task("t1", {
        started_at: "S",
        expires_at: IN_A_MINUTE,
        progress: { b: 2 },
        spec: { title: "other", description: "", payload: {}, capability: null },
      }),
    );
    expect(await board.getTask("t1")).toMatchObject({
      state: "running",
      started_at: "S",
      expires_at: IN_A_MINUTE,
      progress: { a: 1, b: 2 },
      spec: { title: "sums" },
    });
    await board.observeTask(task("t1"));
    expect(await board.getTask("t1")).toMatchObject({ started_at: "S", expires_at: IN_A_MINUTE });
  });

  it("leaves a task that has ended as it is", async () => {
    const { board, events } = await open();
    await board.observeTask(task("t1", { state: "completed", result: 42 }));
    await board.observeTask(task("t1", { state: "running", progress: { late: true } }));
    expect(await board.getTask("t1")).toMatchObject({
      state: "completed",
      result: 42,
      progress: {},
      completed_at: formatTimestamp(FAKE_START_MS),
    });
    expect(events.map(({ kind }) => kind)).toEqual(["completed"]);
  });

  it("refuses another owner's task, and ids outside the pattern", async () => {
    const { board } = await open();
    await board.observeTask(task("t1"));
    const foreign = board.observeTask(task("t1", { owner_id: "eve" }));
    await expect(foreign).rejects.toBeInstanceOf(AccessDeniedError);
    expect((await board.getTask("t1")).owner_id).toBe(OWNER);
    for (const id of ["", "-x", "a/b", "a b", "é", "x".repeat(129), "a\n"]) {
      await expect(board.observeTask(task(id))).rejects.toThrow(ProtocolError);
      await expect(board.observeTask(task(id))).rejects.toThrow("invalid task_id");
      await expect(board.getTask(id)).rejects.toBeInstanceOf(ProtocolError);
      await expect(board.checkpointTask(id, {})).rejects.toBeInstanceOf(ProtocolError);
    }
    await board.observeTask(task(`A.b_c-${"x".repeat(122)}`));
  });

  it("N-140 holds max_concurrent_tasks for tasks that have not ended", async () => {
    const rule = createRule({ limits: { max_concurrent_tasks: 2 } });
    const { board } = await open(createMemoryStore(), rule);
    await board.observeTask(task("t1"));
    await board.observeTask(task("t2"));
    const third = board.observeTask(task("t3"));
    await expect(third).rejects.toBeInstanceOf(AccessDeniedError);
    await expect(third).rejects.toThrow(`'${OWNER}' exceeded max_concurrent_tasks (2 >= 2)`);
    await board.observeTask(task("t2", { progress: { still: "known" } }));
    await board.updateTask("t1", { state: "completed" });
    await board.observeTask(task("t3"));
    expect((await board.listTasks({ state: "running" })).map((known) => known.task_id)).toEqual([
      "t2",
      "t3",
    ]);
  });

  it("counts tasks that are being observed at one time", async () => {
    const rule = createRule({ limits: { max_concurrent_tasks: 1 } });
    const { board } = await open(createMemoryStore(), rule);
    const outcomes = await Promise.allSettled([
      board.observeTask(task("a")),
      board.observeTask(task("b")),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await board.listTasks()).toHaveLength(1);
  });

  it("leaves no trace when the commit fails", async () => {
    const rule = createRule({ limits: { max_concurrent_tasks: 1 } });
    const { board, deadlines, events } = await open(failingCommits([1]), rule);
    const lost = task("t1", { expires_at: IN_A_MINUTE, channel_id: "c" });
    await expect(board.observeTask(lost)).rejects.toBeInstanceOf(StoreError);
    await expect(board.getTask("t1")).rejects.toBeInstanceOf(NotFoundError);
    expect(deadlines.size).toBe(0);
    await board.observeTask(lost);
    expect(await board.listTasks()).toHaveLength(1);
    expect(events).toEqual([]);
  });
});

describe("updateTask", () => {
  it("merges progress and stamps when it came", async () => {
    const { board, clock } = await open();
    await board.observeTask(task("t1", { progress: { a: 1 } }));
    clock.advance(5_000);
    await board.updateTask("t1", { progress: { b: { c: 2 } } });
    await board.updateTask("t1", { result: null, error: "" });
    const at = formatTimestamp(FAKE_START_MS + 5_000);
    expect(await board.getTask("t1")).toMatchObject({
      progress: { a: 1, b: { c: 2 } },
      last_progress_at: at,
      state: "running",
      completed_at: null,
      result: null,
    });
  });

  it("ends a task once, tells how, and nothing leaves that state", async () => {
    const { board, events, clock } = await open();
    await board.observeTask(task("t1", { channel_id: "c", started_at: "S" }));
    clock.advance(1);
    await Promise.all([
      board.updateTask("t1", { state: "failed", error: "no luck" }),
      board.updateTask("t1", { state: "completed", result: 1 }),
    ]);
    const at = formatTimestamp(FAKE_START_MS + 1);
    expect(await board.getTask("t1")).toMatchObject({
      ...{ state: "failed", error: "no luck", result: null, completed_at: at },
    });
    const payload = {
      ...{ owner_id: OWNER, channel_id: "c", reason: "no luck", capability: "math" },
      ...{ outcome: "failed", started_at: "S", at },
    };
    expect(events).toEqual([{ id: "t1", kind: "failed", payload }]);
  });

  it("keeps the reason of a cancelled task", async () => {
    const { board } = await open();
    await board.observeTask(task("t1"));
    await board.updateTask("t1", { state: "cancelled", error: "changed my mind" });
    const cancelled = await board.getTask("t1");
    expect(cancelled).toMatchObject({ state: "cancelled", error: "changed my mind" });
    expect(cancelled.completed_at).not.toBeNull();
  });

  it("refuses unknown tasks, odd states, what is no JSON, and a record that grows too large", async () => {
    const { board } = await open();
    await expect(board.updateTask("t1", {})).rejects.toBeInstanceOf(NotFoundError);
    await board.observeTask(task("t1"));
    const odd = { state: "done" as TaskMetadata["state"] };
    await expect(board.updateTask("t1", odd)).rejects.toBeInstanceOf(InvalidInputError);
    await expect(board.updateTask("t1", { result: 1n })).rejects.toBeInstanceOf(InvalidInputError);
    const large = board.updateTask("t1", { progress: { text: "x".repeat(500) } });
    await expect(large).rejects.toBeInstanceOf(TooLargeError);
    expect((await board.getTask("t1")).progress).toEqual({});
  });

  it("goes back to what is stored when the commit fails", async () => {
    const { board, events } = await open(failingCommits([2]));
    await board.observeTask(task("t1"));
    await expect(board.updateTask("t1", { state: "completed" })).rejects.toBeInstanceOf(StoreError);
    expect((await board.getTask("t1")).state).toBe("running");
    expect(events).toEqual([]);
    await board.updateTask("t1", { state: "failed" });
    expect(events.map(({ kind }) => kind)).toEqual(["failed"]);
  });
});

describe("the end of tasks", () => {
  it("expires a task at its deadline, which may be moved", async () => {
    const { board, clock, events } = await open();
    await board.observeTask(task("t1", { expires_at: IN_A_MINUTE }));
    await board.observeTask(task("t1", { expires_at: formatTimestamp(FAKE_START_MS + 90_000) }));
    await clock.advanceAsync(89_999);
    expect((await board.getTask("t1")).state).toBe("running");
    await clock.advanceAsync(1);
    expect(await board.getTask("t1")).toMatchObject({ state: "expired", error: "ttl_expired" });
    expect(events).toMatchObject([{ kind: "expired", payload: { reason: "ttl_expired" } }]);
  });

  it("sets no deadline for a task that ended in time", async () => {
    const { board, clock, deadlines, events } = await open();
    await board.observeTask(task("t1", { expires_at: IN_A_MINUTE }));
    await board.updateTask("t1", { state: "completed" });
    expect(deadlines.size).toBe(0);
    await clock.advanceAsync(60_000);
    expect(events.map(({ kind }) => kind)).toEqual(["completed"]);
  });

  it("ends the running tasks of a channel, and a late report changes nothing", async () => {
    const { board, events } = await open();
    await board.observeTask(task("t1", { channel_id: "c" }));
    await board.observeTask(task("t2", { channel_id: "c", state: "completed" }));
    await board.observeTask(task("t3", { channel_id: "d" }));
    board.endTasksOf("c");
    await settle();
    await board.updateTask("t1", { state: "completed", result: 1 });
    const states = (await board.listTasks()).map(({ task_id, state, error }) => [
      task_id,
      state,
      error,
    ]);
    expect(states).toEqual([
      ["t1", "expired", "channel_closed"],
      ["t2", "completed", ""],
      ["t3", "running", ""],
    ]);
    expect(events.map(({ id, kind }) => `${id} ${kind}`)).toEqual(["t2 completed", "t1 expired"]);
  });

  it("tries again when an expiry could not be stored", async () => {
    const { board, clock, logger } = await open(failingCommits([2]));
    await board.observeTask(task("t1", { expires_at: IN_A_MINUTE }));
    await clock.advanceAsync(60_000);
    expect((await board.getTask("t1")).state).toBe("running");
    expect(logger.at("warn")).toHaveLength(1);
    await clock.advanceAsync(5_000);
    expect(await board.getTask("t1")).toMatchObject({ state: "expired", error: "ttl_expired" });
  });

  it("leaves the tasks of a channel whose end could not be stored as they are", async () => {
    const { board, clock, logger } = await open(failingCommits([2]));
    await board.observeTask(task("t1", { channel_id: "c" }));
    board.endTasksOf("c");
    await settle();
    expect(logger.at("warn")).toHaveLength(1);
    await clock.advanceAsync(60_000);
    expect((await board.getTask("t1")).state).toBe("running");
    board.endTasksOf("c");
    await settle();
    expect(await board.getTask("t1")).toMatchObject({ state: "expired", error: "channel_closed" });
  });
});
