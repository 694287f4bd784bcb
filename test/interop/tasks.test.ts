import { createScriptedAgent } from "@colloquy/client";
import { EV_TASK_CANCEL_REQUEST } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { startMeeting, untilTexts } from "./harness/meeting.js";

describe("tasks over both languages", () => {
  it("sees the task of a Python turn, from its start to its track record", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const steps = [{ progress: { read: 3 } }, { checkpoint: { page: 3 } }, { complete: 42 }];
    const work = { tool: "work", args: { title: "sums", capability: "math", steps } };
    const pia = await python.agent("pia", { tools: ["work"], script: [work, "done"] });
    const hugo = await meeting.client().registerHuman({ name: "hugo" });
    const { channelId } = await hugo.open({ type: "conversation", target: "pia" });
    await hugo.say(channelId, "work");
    await untilTexts(hugo.hub, channelId, ["work", "done"]);
    const [task] = await hugo.hub.listTasks({ channel_id: channelId });
    expect(task).toMatchObject({
      ...{ owner_id: pia.agentId, channel_id: channelId, state: "completed", result: 42 },
      ...{ progress: { read: 3 }, spec: { title: "sums", capability: "math" } },
    });
    const checkpoint = await python.call("read_task_checkpoint", { task_id: task?.task_id });
    expect(checkpoint).toEqual({ page: 3 });
    expect(await hugo.hub.getTrackRecord(pia.agentId)).toMatchObject({
      math: { n: 1, completed: 1 },
    });
    const resume = await python.call("get_resume", { agent_id: pia.agentId });
    expect(resume).toMatchObject({ observed: { math: { n: 1 } } });
  });

  it("gives a checkpoint back to the next run, over the kill of the hub", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python({ keeps: true });
    const pia = await python.agent("pia");
    const first = await pia.work({
      title: "long",
      steps: [{ checkpoint: { page: 7, seen: ["a", "b"] } }, { fail: "no power" }],
    });
    expect(first).toMatchObject({ state: "failed", resumed: null });
    await meeting.hub.restart();
    await until(() => python.returns === 1, { timeoutMs: 15_000 });
    const second = await pia.work({
      ...{ title: "long", resume_from: first.task_id, steps: [{ complete: "all" }] },
    });
    expect(second).toMatchObject({ state: "completed", resumed: { page: 7, seen: ["a", "b"] } });
    const tasks = await python.call("list_tasks", { agent_id: pia.agentId });
    expect(tasks).toMatchObject([
      { task_id: first.task_id, state: "failed", error: "no power" },
      { task_id: second.task_id, state: "completed", result: "all" },
    ]);
  });

  it("cancels a TypeScript agent's task with AG2's tasks tool, and waits for its end", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const pia = await python.agent("pia");
    const client = meeting.client();
    let taskId = "";
    const agent = createScriptedAgent("tom", async ({ context: { task } }) => {
      await task({ title: "endless" }, {}, async ({ id, signal }) => {
        taskId = id;
        await new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve());
        });
      });
      return null;
    });
    await client.register(agent);
    const { channel_id } = await pia.open({ type: "conversation", target: "tom" });
    await pia.say(channel_id, "work");
    await until(async () => taskId !== "" && (await client.getTask(taskId)).state === "running");
    await pia.addLines(
      { tool: "tasks", args: { action: "cancel", task_id: taskId, reason: "enough" } },
      { tool: "tasks", args: { action: "wait", task_id: taskId, timeout: 10 } },
      "it is over",
    );
    expect(await pia.ask("stop tom")).toBe("it is over");
    const { calls } = await pia.asked();
    expect(JSON.stringify(calls[1]?.messages.at(-1))).toContain("cancel_request posted to");
    expect(JSON.stringify(calls[2]?.messages.at(-1))).toContain("cancelled");
    expect(await client.getTask(taskId)).toMatchObject({ state: "cancelled", error: "enough" });
  });

  it("brings a TypeScript agent's wish for a cancel to the Python owner, who is free to go on", async () => {
    await using meeting = await startMeeting();
    const python = await meeting.python();
    const pia = await python.agent("pia");
    const tom = await meeting.client().register(createScriptedAgent("tom"));
    const { channelId } = await tom.open({ type: "conversation", target: "pia" });
    const work = pia.work({
      ...{ title: "long", channel_id: channelId },
      steps: [{ progress: { at: 1 } }, { hold: "work" }, { complete: "after all" }],
    });
    const [task] = await until(async () => {
      const tasks = await tom.hub.listTasks({ channel_id: channelId });
      return tasks[0]?.progress["at"] === 1 && tasks;
    });
    await tom.cancelTask(task?.task_id ?? "", "not needed");
    const request = await until(() =>
      python.notified.find(({ envelope }) => envelope.event_type === EV_TASK_CANCEL_REQUEST),
    );
    expect(request).toMatchObject({
      to: "pia",
      envelope: { event_data: { task_id: task?.task_id, reason: "not needed" } },
    });
    await pia.release("work");
    expect(await work).toMatchObject({ task_id: task?.task_id, state: "completed" });
    expect(await tom.hub.getTask(task?.task_id ?? "")).toMatchObject({ result: "after all" });
  });
});
