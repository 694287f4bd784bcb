import {
  AccessDeniedError,
  NotFoundError,
  type TaskMetadata,
  type TaskState,
  taskMetadataSchema,
} from "@colloquy/protocol";
import { createMemoryDisk, createMemoryStore } from "@colloquy/storage-memory";
import { describe, expect, it } from "vitest";
import { openConnectionBench } from "../../../../test/edge/connection-bench.js";
import { openHub } from "../open-hub.js";

function task(task_id: string, rest: Partial<TaskMetadata> = {}): TaskMetadata {
  return taskMetadataSchema.parse({
    ...{ task_id, owner_id: "ada", spec: { title: "sums" }, state: "running" },
    ...rest,
  });
}

const open = (disk = createMemoryDisk()) =>
  openHub({ store: createMemoryStore({ disk }), limits: { endedTasksInMemory: 1 } });

/** Twelve tasks of two owners in two channels; those with an even number have ended. */
async function openWithTwelve(disk = createMemoryDisk()) {
  const hub = await open(disk);
  const ends: TaskState[] = ["completed", "failed", "expired"];
  for (let n = 0; n < 12; n += 1) {
    const owner_id = n < 6 ? "ada" : "bob b";
    const channel_id = n % 3 === 0 ? "c" : "c d";
    await hub.observeTask(task(`t${n}`, { owner_id, channel_id }));
    const state = ends[n % 3] ?? null;
    if (n % 2 === 0) await hub.updateTask(`t${n}`, { state, result: n });
  }
  return hub;
}

const idsOf = (tasks: readonly TaskMetadata[]) =>
  tasks.map(({ task_id }) => task_id.slice(1)).join();

describe("tasks that have ended", () => {
  it("leave memory beyond the limit and are read from the store, also after a restart", async () => {
    const disk = createMemoryDisk();
    const hub = await openWithTwelve(disk);
    const before = await hub.listTasks();
    expect(idsOf(before)).toBe("0,1,2,3,4,5,6,7,8,9,10,11");
    expect(await hub.getTask("t0")).toMatchObject({ state: "completed", result: 0 });
    await hub.close();
    const again = await open(disk);
    expect(await again.listTasks()).toEqual(before);
    expect(await again.getTask("t4")).toMatchObject({ state: "failed", result: 4 });
    await again.close();
  });

  it("are found by owner, channel and state, page by page, in order of observation", async () => {
    const hub = await openWithTwelve();
    const list = async (filter: Parameters<typeof hub.listTasks>[0]) =>
      idsOf(await hub.listTasks(filter));
    expect(await list({ agent_id: "ada" })).toBe("0,1,2,3,4,5");
    expect(await list({ agent_id: "bob" })).toBe("");
    expect(await list({ channel_id: "c" })).toBe("0,3,6,9");
    expect(await list({ channel_id: "c d", agent_id: "bob b" })).toBe("7,8,10,11");
    expect(await list({ state: "completed" })).toBe("0,6");
    expect(await list({ state: "failed", agent_id: "bob b" })).toBe("10");
    expect(await list({ state: "cancelled" })).toBe("");
    expect(await list({ state: "running" })).toBe("1,3,5,7,9,11");
    expect(await list({ state: "running", channel_id: "c", after: "t3" })).toBe("9");
    expect(await list({ limit: 5 })).toBe("0,1,2,3,4");
    expect(await list({ limit: 5, after: "t4" })).toBe("5,6,7,8,9");
    expect(await list({ limit: 5, after: "t9" })).toBe("10,11");
    expect(await list({ limit: 0 })).toBe("");
    expect(await list({ agent_id: "ada", after: "t5" })).toBe("");
    await expect(list({ after: "nobody" })).rejects.toThrow(NotFoundError);
    await hub.close();
  });

  it("are not raised by a late report, though memory has forgotten them", async () => {
    const hub = await openWithTwelve();
    const ended = await hub.getTask("t0");
    await hub.observeTask(task("t0", { progress: { late: true } }));
    await hub.updateTask("t0", { state: "failed", error: "late" });
    expect(await hub.getTask("t0")).toEqual(ended);
    const foreign = hub.observeTask(task("t0", { owner_id: "bob b" }));
    await expect(foreign).rejects.toBeInstanceOf(AccessDeniedError);
    expect(await hub.listTasks()).toHaveLength(12);
    await expect(hub.checkpointTask("t0", {}, "bob b")).rejects.toThrow(AccessDeniedError);
    await hub.checkpointTask("t0", { page: 1 }, "ada");
    await hub.close();
  });

  it("move between channels with their index", async () => {
    const hub = await open();
    await hub.observeTask(task("t1"));
    await hub.observeTask(task("t1", { channel_id: "c" }));
    await hub.observeTask(task("t1", { channel_id: "d" }));
    expect(await hub.listTasks({ channel_id: "c" })).toEqual([]);
    expect(idsOf(await hub.listTasks({ channel_id: "d" }))).toBe("1");
    await hub.close();
  });

  it("come along from a store that had no index of them", async () => {
    const disk = createMemoryDisk();
    const store = createMemoryStore({ disk });
    const records = (["running", "completed"] as const).map((state, n) => ({
      kind: "task" as const,
      id: `t${n}`,
      value: JSON.stringify({ ...task(`t${n}`, { state }), observed_order: n + 1 }),
    }));
    const lazy = { deliveries: [], audit: [], snapshots: [] };
    await store.commit({ envelopes: [], channels: [], records, lazy });
    await store.close();
    for (let start = 0; start < 2; start += 1) {
      const hub = await open(disk);
      await hub.observeTask(task(`new${start}`));
      const listed = await hub.listTasks();
      expect(listed.map(({ task_id }) => task_id).slice(0, 3)).toEqual(["t0", "t1", "new0"]);
      expect(await hub.getTask("t1")).toMatchObject({ state: "completed" });
      await hub.close();
    }
  });
});

describe("a task of others, over a connection", () => {
  it("answers an update exactly like one that does not exist", async () => {
    const bench = await openConnectionBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    await bench.hub.observeTask(task("secret", { owner_id: a.id }));
    const update = (task_id: string) => b.request("update_task", { task_id, state: "failed" });
    const [there, nowhere] = [await update("secret"), await update("nobody")];
    expect(there).toMatchObject({ ok: false, error_code: "not_found" });
    expect(there.error_message).toBe(nowhere.error_message.replace("nobody", "secret"));
    expect((await bench.hub.getTask("secret")).state).toBe("running");
  });

  it("does not shorten a page of those that may be seen", async () => {
    const bench = await openConnectionBench();
    const [a, b] = [await bench.join("a"), await bench.join("b")];
    for (let n = 0; n < 230; n += 1) {
      await bench.hub.observeTask(task(`t${n}`, { owner_id: n % 2 === 0 ? a.id : b.id }));
    }
    const page = async (params: object) =>
      (await b.request("list_tasks", params)).result as TaskMetadata[];
    expect(await page({ limit: 200 })).toHaveLength(115);
    const first = await page({ limit: 60 });
    const second = await page({ limit: 60, after: first.at(-1)?.task_id });
    expect(idsOf([...first, ...second])).toBe(
      Array.from({ length: 115 }, (_, n) => 2 * n + 1).join(),
    );
  });
});
