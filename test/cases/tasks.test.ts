import {
  type AgentClient,
  type ClientError,
  createHubCheckpoints,
  createTask,
  createTaskMirror,
  type Task,
} from "@colloquy/client";
import {
  createSystemClock,
  EV_TASK_CANCEL_REQUEST,
  NotFoundError,
  silentLogger,
} from "@colloquy/protocol";
import { settle, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import {
  SURROUNDINGS,
  startTestNetwork,
  type TestNetwork,
  TRANSPORTS,
} from "../fixtures/test-network.js";

const clock = createSystemClock();

/** A task of an agent, and a mirror attached to its steps by hand. */
function mirrored(bob: AgentClient, capability: string | null, taskId: string) {
  const task = createTask({ spec: { title: "sums", capability }, ownerId: "bob", taskId, clock });
  const mirror = createTaskMirror({ hub: bob.hub, agentId: bob.agentId, logger: silentLogger });
  mirror.attach(task.events);
  return { task, mirror };
}

describe.each(TRANSPORTS)("a task mirror, %s", (transport) => {
  it("N-236 brings a completed task into its owner's track record, where it is found", async () => {
    await using network = await startTestNetwork({ transport });
    const bob = await network.ackOnly("bob");
    const { task, mirror } = mirrored(bob, "math", "t1");
    await task.run(() => task.progress({ half: true }));
    await mirror.settled();
    const { observed } = await network.hub.getResume(bob.agentId);
    expect(observed["math"]).toMatchObject({ n: 1, completed: 1 });
    expect(network.hub.agentsWithCapability("math")).toEqual([bob.agentId]);
    expect(await network.hub.getTask("t1")).toMatchObject({
      owner_id: bob.agentId,
      state: "completed",
      progress: { half: true },
    });
  });

  it("N-244 tells the hub of a cancelled task, its reason and when it ended", async () => {
    await using network = await startTestNetwork({ transport });
    const bob = await network.ackOnly("bob");
    const { task, mirror } = mirrored(bob, "math", "t1");
    await task.run(() => task.cancel("changed my mind"));
    await mirror.settled();
    const seen = await network.hub.getTask("t1");
    expect([seen.state, seen.error]).toEqual(["cancelled", "changed my mind"]);
    expect(seen.completed_at).toEqual(expect.stringMatching(/^\d{4}-/));
    const { observed } = await network.hub.getResume(bob.agentId);
    expect(observed["math"]).toMatchObject({ n: 1, completed: 0, failed: 0, expired: 0 });
  });

  it("reports what the hub refuses, and the work goes on", async () => {
    await using network = await startTestNetwork({ transport });
    const reports: unknown[] = [];
    network.hub.addListener({
      onTaskEvent: (id, kind, { op, exc_type }) => void reports.push([id, kind, op, exc_type]),
    });
    const bob = await network.ackOnly("bob", { rule: { limits: { max_concurrent_tasks: 1 } } });
    await bob.task("first", { taskId: "t1" }, async () => {
      const value = await bob.task("second", { taskId: "t2" }, () => "done all the same");
      expect(value).toBe("done all the same");
      await until(() => reports.length > 0);
    });
    expect(reports[0]).toEqual(["t2", "mirror_failed", "observe_task", "AccessDeniedError"]);
    await until(async () => (await network.hub.getTask("t1")).state === "completed");
    await expect(network.hub.getTask("t2")).rejects.toThrow(NotFoundError);
  });
});

describe.each(SURROUNDINGS)("checkpoints, $transport, $store", (surroundings) => {
  it("N-242 are equal when they are read again, by the hub itself too", async () => {
    await using network = await startTestNetwork(surroundings);
    const bob = await network.ackOnly("bob");
    const facts: unknown[] = [];
    const over = createHubCheckpoints(bob.hub, {
      onWrite: (fact) => void facts.push(fact),
      onRead: (fact) => void facts.push(fact),
    });
    const state = { page: 3, seen: ["ä", { deep: [1, null] }] };
    expect(await over.read("t1")).toBeNull();
    await over.write("t1", state);
    expect(await over.read("t1")).toEqual(state);
    const inside = createHubCheckpoints(network.hub);
    expect(await inside.read("t1")).toEqual(state);
    await inside.write("t2", { by: "the hub" });
    expect(await inside.read("t2")).toEqual({ by: "the hub" });
    const bytes = Buffer.byteLength(JSON.stringify(state));
    expect(facts).toEqual([
      { task_id: "t1", hit: false },
      { task_id: "t1", bytes },
      { task_id: "t1", hit: true },
    ]);
  });

  it("N-243 let an agent go on where an earlier task stopped, also after a restart", async () => {
    await using network = await startTestNetwork(surroundings);
    const bob = await network.ackOnly("bob");
    const snapshot = { page: 7, notes: { a: 1 } };
    await bob.task("read", { taskId: "t1" }, (task) => task.checkpoint(snapshot));
    await network.reopen();
    const resumed = await bob.task("read on", { taskId: "t2", resumeFrom: "t1" }, (task) => {
      task.complete("read");
      return task.resumedState;
    });
    expect(resumed).toEqual(snapshot);
    await until(async () => (await network.hub.getTask("t2")).state === "completed");
  });
});

/** Bob takes one turn in a conversation that Ada opened; what he does in it is the test's. */
async function turnOfBob(network: TestNetwork, work: (task: Task) => Promise<string> | string) {
  const ada = await network.ackOnly("ada");
  const { client: bob } = await network.agent("bob", (turn) =>
    turn.context.task({ title: "long sums", capability: "math" }, { taskId: "t1" }, (task) => {
      expect(turn.context.activeTask).toBe(task);
      return work(task);
    }),
  );
  const { channelId, send } = await ada.open({ type: "conversation", target: "bob" });
  await send("count to a million");
  return { ada, bob, channelId };
}

const untilAborted = ({ signal }: Pick<Task, "signal">): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

describe.each(TRANSPORTS)("a task in a turn, %s", (transport) => {
  it("belongs to the turn's channel, and has ended for the hub when the answer comes", async () => {
    await using network = await startTestNetwork({ transport });
    const { ada, bob, channelId } = await turnOfBob(network, (task) => {
      task.progress({ counted: 1_000_000 });
      task.complete(1_000_000);
      return "done";
    });
    await ada.waitForChannelEvent(channelId, ({ event_data }) => event_data["text"] === "done");
    expect(await ada.hub.getTask("t1")).toMatchObject({
      owner_id: bob.agentId,
      channel_id: channelId,
      state: "completed",
      progress: { counted: 1_000_000 },
      result: 1_000_000,
    });
    expect(await ada.hub.listTasks({ channel_id: channelId })).toHaveLength(1);
  });

  it("is cancelled at a peer's request while the turn runs, which may still answer", async () => {
    await using network = await startTestNetwork({ transport });
    const { ada, bob, channelId } = await turnOfBob(network, async (task) => {
      await untilAborted(task).catch(() => undefined);
      task.complete("too late");
      return `stopped: ${task.metadata.error}`;
    });
    const kinds: string[] = [];
    bob.taskEvents.subscribe(({ kind }) => void kinds.push(kind));
    await until(() =>
      ada.hub.getTask("t1").then(
        () => true,
        () => false,
      ),
    );
    const found = await ada.cancelTask("t1", "enough");
    expect(found.state).toBe("running");
    await until(async () => (await network.texts(channelId)).includes("stopped: enough"));
    expect(await ada.hub.getTask("t1")).toMatchObject({ state: "cancelled", error: "enough" });
    expect(kinds.filter((kind) => kind !== "started")).toEqual(["cancelled"]);
    const again = await ada.cancelTask("t1", "once more");
    expect(again.state).toBe("cancelled");
    const types = (await network.wal(channelId)).map(({ event_type }) => event_type);
    expect(types.filter((type) => type === EV_TASK_CANCEL_REQUEST)).toHaveLength(1);
  });

  it("tells the turn by the turn's own signal that it was cancelled", async () => {
    await using network = await startTestNetwork({ transport });
    const ada = await network.ackOnly("ada");
    await network.agent("bob", ({ context, signal }) =>
      context.task("long sums", { taskId: "t1" }, async (task) => {
        await untilAborted({ signal }).catch(() => undefined);
        return `${(signal.reason as ClientError).code}, so far ${task.state}`;
      }),
    );
    const { channelId, send } = await ada.open({ type: "conversation", target: "bob" });
    await send("count to a million");
    const isKnown = (): Promise<boolean> => ada.hub.getTask("t1").then(Boolean, () => false);
    await until(isKnown);
    await ada.cancelTask("t1", "enough");
    const answer = "client/task_cancelled, so far cancelled";
    await until(async () => (await network.texts(channelId)).includes(answer));
  });

  it("that lets its cancel end the turn is reported once and not begun anew", async () => {
    await using network = await startTestNetwork({ transport });
    const failures: string[] = [];
    network.hub.addListener({ onTurnFailed: ({ error }) => void failures.push(error) });
    let turns = 0;
    const { ada, bob, channelId } = await turnOfBob(network, (task) => {
      turns += 1;
      return untilAborted(task);
    });
    await until(() =>
      ada.hub.getTask("t1").then(
        () => true,
        () => false,
      ),
    );
    await ada.cancelTask("t1", "enough");
    await until(() => failures.length > 0);
    await until(async () => (await network.hub.getTask("t1")).state === "cancelled");
    expect(failures).toEqual(["task 't1' was cancelled: enough"]);
    const trigger = (await network.wal(channelId)).find(
      ({ event_data }) => event_data["text"] === "count to a million",
    );
    await until(() => {
      const lines = network.hub.ledger(channelId, trigger?.envelope_id ?? "");
      // Settled, and so not to be sent again; the ledger tells that the turn came to nothing.
      return lines.length === 1 && lines[0]?.state === "failed";
    });
    await settle();
    expect([turns, bob.status]).toEqual([1, "active"]);
  });

  it("is not cancelled from another channel, nor by whoever cannot see it", async () => {
    await using network = await startTestNetwork({ transport });
    let stop: () => void = () => undefined;
    const { ada, channelId } = await turnOfBob(
      network,
      (task) =>
        new Promise((resolve) => {
          stop = () => resolve(task.state);
        }),
    );
    const cleo = await network.ackOnly("cleo");
    await until(() =>
      ada.hub.getTask("t1").then(
        () => true,
        () => false,
      ),
    );
    await expect(cleo.cancelTask("t1", "mine")).rejects.toThrow(NotFoundError);
    const other = await cleo.open({ type: "conversation", target: "bob" });
    await cleo.post({
      channel_id: other.channelId,
      event_type: EV_TASK_CANCEL_REQUEST,
      event_data: { task_id: "t1", reason: "mine" },
    });
    const { envelope_id } = await cleo.post({
      channel_id: other.channelId,
      event_type: EV_TASK_CANCEL_REQUEST,
      event_data: { task_id: "nobody's", reason: "" },
    });
    await until(() => {
      const [line] = network.hub.ledger(other.channelId, envelope_id);
      return line?.state === "acknowledged";
    });
    await settle();
    stop();
    await until(async () => (await network.texts(channelId)).includes("running"));
    await until(async () => (await network.hub.getTask("t1")).state === "completed");
  });
});

describe("a task outside a turn", () => {
  it("is cancelled at once by its owner, and cannot be asked for by others", async () => {
    await using network = await startTestNetwork();
    const ada = await network.ackOnly("ada");
    const bob = await network.ackOnly("bob");
    const running = bob.task("alone", { taskId: "t1" }, untilAborted);
    await until(() =>
      network.hub.getTask("t1").then(
        () => true,
        () => false,
      ),
    );
    await expect(ada.cancelTask("t1")).rejects.toThrow(NotFoundError);
    await bob.cancelTask("t1", "enough");
    await expect(running).rejects.toMatchObject({ code: "client/task_cancelled" });
    await until(async () => (await network.hub.getTask("t1")).state === "cancelled");

    await network.hub.observeTask({
      ...(await network.hub.getTask("t1")),
      task_id: "t2",
      state: "running",
      completed_at: null,
    });
    await bob.cancelTask("t2", "left over");
    expect(await network.hub.getTask("t2")).toMatchObject({
      state: "cancelled",
      error: "left over",
    });
  });

  it("of a channel can be asked for there, and one that runs elsewhere too", async () => {
    await using network = await startTestNetwork();
    const [ada, bob] = [await network.ackOnly("ada"), await network.ackOnly("bob")];
    const { channelId } = await ada.open({ type: "conversation", target: "bob" });
    const running = bob.task("with ada", { taskId: "t1", channelId }, untilAborted);
    await until(() =>
      network.hub.getTask("t1").then(
        () => true,
        () => false,
      ),
    );
    await ada.cancelTask("t1", "enough");
    await expect(running).rejects.toMatchObject({ details: { reason: "enough" } });
    const human = await network.human("hugh");
    await expect(human.cancelTask("t1")).rejects.toThrow(NotFoundError);
    bob.disconnect();
    await expect(bob.task("late", {}, () => 1)).rejects.toMatchObject({
      code: "client/disconnected",
    });
  });
});
