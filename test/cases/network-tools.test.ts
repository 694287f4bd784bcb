import type { AgentClient } from "@colloquy/client";
import { createAllowAllArbiter } from "@colloquy/hub";
import {
  EV_TASK_CANCEL_REQUEST,
  EV_TEXT,
  formatTimestamp,
  renderFallbackSkill,
  type TaskMetadata,
  type Tool,
  taskMetadataSchema,
} from "@colloquy/protocol";
import { createFakeClock, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { startTestNetwork, TRANSPORTS } from "../fixtures/test-network.js";

type Args = Readonly<Record<string, unknown>>;

/** Calls a tool as a model outside any turn would. */
function call(tools: readonly Tool[], name: string, args: Args): Promise<unknown> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool '${name}'`);
  return tool.run(args, { signal: new AbortController().signal, callId: "call-1" });
}

const NETWORK_TOOLS = ["delegate", "peers", "channels", "tasks", "context"];

function runningTask(owner_id: string, given: Partial<TaskMetadata> = {}): TaskMetadata {
  const now = formatTimestamp(Date.parse("2026-01-01T00:00:00Z"));
  return taskMetadataSchema.parse({
    task_id: "task-1",
    owner_id,
    spec: { title: "count the sheep", capability: "math" },
    state: "running",
    created_at: now,
    started_at: now,
    ...given,
  });
}

describe.each(TRANSPORTS)("network tools over %s", (transport) => {
  const start = () => startTestNetwork({ transport });

  it("N-092 an agent has the five network tools and not say, unless it goes without them", async () => {
    await using network = await start();
    const { client } = await network.agent("ada");
    expect(client.tools.map(({ name }) => name)).toEqual(NETWORK_TOOLS);
    const plain = await network.agent("bob", [], { networkTools: false });
    expect(plain.client.tools).toEqual([]);
  });

  it("N-092 a turn has them beside the tools of its channel, and says who the agent is", async () => {
    await using network = await start();
    const { client: ada } = await network.agent("ada");
    const bob = await network.agent("bob", ["hello"]);
    const plain = await network.agent("cat", ["hello"], { networkTools: false });
    for (const target of ["bob", "cat"]) {
      const channel = await ada.open({ type: "conversation", target });
      await channel.send("hi");
    }
    await until(() => bob.script.turns.length + plain.script.turns.length === 2);
    const [turn] = bob.script.turns;
    expect(turn?.tools.map(({ name }) => name)).toEqual(["say", ...NETWORK_TOOLS]);
    expect(turn?.instructions).toEqual([`You are bob (agent_id: ${bob.client.agentId}).`]);
    expect(plain.script.turns[0]?.tools.map(({ name }) => name)).toEqual(["say"]);
    expect(plain.script.turns[0]?.instructions).toEqual([]);
  });

  it("no schema that a model sees has a parameter that is injected", async () => {
    await using network = await start();
    const { client } = await network.agent("ada");
    const seen = client.tools.map(({ name, parameters }) => [
      name,
      Object.keys(parameters["properties"] as object),
    ]);
    expect(Object.fromEntries(seen)).toEqual({
      delegate: ["target", "prompt", "capability", "timeout"],
      peers: ["action", "query", "capability", "sort_by", "name", "limit"],
      channels: [
        ...["action", "type", "target", "knobs", "intent", "ttl", "message"],
        ...["channel_id", "state"],
      ],
      tasks: [
        ...["action", "payload", "result", "task_id", "reason", "scope", "state"],
        ...["timeout", "poll_interval", "limit"],
      ],
      context: ["action", "query", "scope", "speaker", "recent_n", "limit", "channel_id"],
    });
  });

  it("N-093 delegate gives the peer's answer", async () => {
    await using network = await start();
    const { client } = await network.agent("ada");
    await network.agent("bob", ["forty-two"]);
    const args = { target: "bob", prompt: "How many?" };
    expect(await call(client.tools, "delegate", args)).toBe("forty-two");
    await network.agent("dan", ["forty-three"]);
    const spaced = { target: "functions.dan", prompt: "How many?" };
    expect(await call(client.tools, "delegate", spaced)).toBe("forty-three");
  });

  it("N-093 delegate in a turn works too, one hop deeper and below the turn's channel", async () => {
    await using network = await start();
    const { client: ada } = await network.agent("ada");
    await network.agent("cat", ["purr"]);
    await network.agent("bob", async ({ tools }) => {
      return String(await call(tools, "delegate", { target: "cat", prompt: "Say something" }));
    });
    expect(await ada.consult("bob", "What does the cat say?")).toBe("purr");
    const channels = await network.hub.listChannels();
    const nested = channels.find(({ parent_channel_id }) => parent_channel_id !== null);
    const [question] = (await network.wal(nested?.channel_id ?? "")).filter(
      ({ event_data }) => event_data["text"] === "Say something",
    );
    expect(question?.depth).toBe(2);
  });

  it("N-094 delegate to nobody names who could be asked, and not oneself", async () => {
    await using network = await start();
    const { client } = await network.agent("ada");
    await network.agent("cat");
    await network.agent("bob");
    const args = { target: "zoe", prompt: "Hello?" };
    const answer = await call(client.tools, "delegate", args);
    expect(answer).toBe("Error: target 'zoe' not found. Available targets: [bob, cat]");
  });

  it("N-095 delegate to oneself is refused before a channel is opened", async () => {
    await using network = await start();
    const { client } = await network.agent("ada");
    const answer = await call(client.tools, "delegate", { target: "ada", prompt: "Hello?" });
    expect(answer).toBe("Error: cannot delegate to self (target 'ada' is this agent)");
    expect(String(answer)).not.toContain("exactly one respondent");
    expect(await network.hub.listChannels()).toEqual([]);
  });

  it("N-096 delegate ends when the channel is closed meanwhile", async () => {
    await using network = await start();
    const { client } = await network.agent("ada");
    await network.ackOnly("bob");
    const args = { target: "bob", prompt: "Hello?", timeout: 300 };
    const asked = call(client.tools, "delegate", args);
    const open = async () => (await network.hub.listChannels({ states: ["active"] }))[0];
    await until(async () => (await open()) !== undefined);
    await network.hub.closeChannel((await open())?.channel_id ?? "", "enough");
    const answer = String(await asked);
    expect(answer).toMatch(/^Error:/);
    expect(answer.toLowerCase()).toMatch(/channel closed|prompt send failed/);
  });

  it("N-097 peers, channels, say, tasks and context work together", async () => {
    await using network = await start();
    const resume = (capability: string) => ({ resume: { claimed_capabilities: [capability] } });
    const ada = await network.agent("ada", ["", ""], resume("lead"));
    const bob = await network.ackOnly("bob", resume("math"));
    const { tools } = ada.client;
    const found = await call(tools, "peers", { action: "find", capability: "math" });
    expect(found).toMatchObject([{ name: "bob", agent_id: bob.agentId, capabilities: ["math"] }]);

    const opened = await call(tools, "channels", {
      ...{ action: "open", type: "conversation", target: "bob" },
    });
    expect(opened).toMatchObject({ channel_id: expect.any(String), type: "conversation" });
    const { channel_id } = opened as { channel_id: string };
    const say = await sayTool(ada.client, channel_id);
    const said = await say.run(
      { content: "The heron stands still.", channel_id },
      { signal: new AbortController().signal, callId: "call-2" },
    );
    expect(said).toContain("posted envelope");
    expect(await call(tools, "tasks", { action: "list", scope: "own" })).toEqual([]);
    const search = { action: "search", query: "HERON", scope: "channel", channel_id };
    expect(await call(tools, "context", search)).toMatchObject([
      { sender_id: ada.client.agentId, excerpt: "The heron stands still." },
    ]);
  });

  it("N-098 peers find lists the others", async () => {
    await using network = await start();
    const { client } = await network.agent("ada");
    await network.agent("bob");
    await network.agent("cat");
    const found = (await call(client.tools, "peers", { action: "find" })) as { name: string }[];
    expect(found.map(({ name }) => name)).toEqual(["bob", "cat"]);
    const first = await call(client.tools, "peers", { action: "find", limit: 1 });
    expect(first).toMatchObject([{ name: "bob" }]);
  });

  it("N-099 peers describe shows the skill text as written, or one made of the resume", async () => {
    await using network = await start();
    const { client } = await network.agent("ada");
    await network.agent("bob", [], {
      ...{ skill: "# Bob\nCounts by hand.", resume: { claimed_capabilities: ["math"] } },
    });
    const cat = await network.agent("cat", [], { resume: { summary: "Writes verses." } });
    const describePeer = (name: string) =>
      call(client.tools, "peers", { action: "describe", name }) as Promise<{ skill_md: string }>;
    expect(await describePeer("bob")).toMatchObject({
      passport: { name: "bob" },
      resume: { claimed_capabilities: ["math"], observed: {} },
      skill_md: "# Bob\nCounts by hand.",
    });
    const { skill_md } = await describePeer(cat.client.agentId);
    expect(skill_md).toBe(renderFallbackSkill(cat.client.passport, cat.client.resume));
    expect(skill_md).toContain("name: cat");
    expect(skill_md).toContain("Writes verses.");
    expect(await describePeer("zoe")).toBe("Error: peer 'zoe' not found");
  });

  it("N-100 channels opens, lists, describes and closes", async () => {
    await using network = await start();
    const { client } = await network.agent("ada");
    const bob = await network.ackOnly("bob");
    const run = (args: Args) => call(client.tools, "channels", args);
    const opened = await run({ action: "open", type: "conversation", target: "bob" });
    const { channel_id } = opened as { channel_id: string };
    expect(channel_id).toMatch(/^[0-9a-f]{32}$/);
    expect(await run({ action: "list" })).toMatchObject([{ channel_id, state: "active" }]);
    expect(await run({ action: "info", channel_id })).toMatchObject({
      ...{ type: "conversation", state: "active" },
      participants: [{ agent_id: client.agentId }, { agent_id: bob.agentId }],
    });
    expect(await run({ action: "close", channel_id })).toEqual({
      ...{ channel_id, state: "closed", close_reason: "closed_by_agent" },
    });
    expect(await run({ action: "list" })).toEqual([]);
    expect(await run({ action: "list", state: "all" })).toHaveLength(1);
  });

  it("channels says the first text at once, and closes a channel that refuses it", async () => {
    await using network = await start();
    const { client } = await network.agent("ada");
    await network.ackOnly("bob");
    const run = (args: Args) => call(client.tools, "channels", args);
    const open = { action: "open", type: "conversation", target: "bob" };
    const seeded = (await run({ ...open, message: "Good morning" })) as Record<string, string>;
    expect(await network.texts(seeded["channel_id"] ?? "")).toEqual(["Good morning"]);
    network.hub.setArbiter({
      ...createAllowAllArbiter(),
      authorizeSend: ({ envelope }) =>
        envelope.event_type === EV_TEXT ? { allow: false, reason: "not today" } : { allow: true },
    });
    const refused = await run({ ...open, message: "Good evening" });
    expect(refused).toBe("Error: seed send failed: not today");
    const channels = await network.hub.listChannels();
    expect(channels.map(({ close_reason }) => close_reason)).toEqual(["", "seed_failed"]);
  });

  it("N-101 N-102 context searches and quotes the channel of the turn by itself", async () => {
    await using network = await start();
    const { client: ada } = await network.agent("ada", ["", "", "", ""]);
    const answers: unknown[] = [];
    await network.agent("bob", async ({ tools, envelope }) => {
      if (envelope.event_data["text"] !== "three") return null;
      answers.push(await call(tools, "context", { action: "search", query: "tw" }));
      const quote = { action: "quote", speaker: "ada", recent_n: 2 };
      answers.push(await call(tools, "context", quote));
      return null;
    });
    const channel = await ada.open({ type: "conversation", target: "bob" });
    for (const text of ["one", "two", "three"]) await channel.send(text);
    await until(() => answers.length === 2);
    expect(answers[0]).toMatchObject([{ excerpt: "two", sender_id: ada.agentId }]);
    expect(answers[0]).toHaveLength(1);
    expect((answers[1] as { text: string }[]).map(({ text }) => text)).toEqual(["two", "three"]);
  });

  it("N-103 tasks lists, shows and waits for a task that has ended", async () => {
    await using network = await start();
    const { client } = await network.agent("bob");
    await client.hub.observeTask(runningTask(client.agentId));
    await client.hub.updateTask("task-1", { state: "completed", result: { sheep: 12 } });
    const run = (args: Args) => call(client.tools, "tasks", args);
    const ended = { task_id: "task-1", state: "completed", result: { sheep: 12 } };
    expect(await run({ action: "list", scope: "own", state: "all" })).toMatchObject([ended]);
    expect(await run({ action: "list" })).toEqual([]);
    expect(await run({ action: "status", task_id: "task-1" })).toMatchObject(ended);
    expect(await run({ action: "wait", task_id: "task-1", timeout: 1 })).toMatchObject(ended);
  });

  it("tasks reports on the task under way, in a turn and outside", async () => {
    await using network = await start();
    const { client: ada } = await network.agent("ada", [""]);
    const progress = { action: "progress", payload: { sheep: 3 } };
    const complete = { action: "complete", result: 12 };
    await network.agent("bob", ({ context, tools }) =>
      context.task({ title: "count" }, { taskId: "in-turn" }, async () =>
        String(await call(tools, "tasks", progress)),
      ),
    );
    expect(await ada.consult("bob", "How many?")).toBe("progress emitted on in-turn");
    expect((await network.hub.getTask("in-turn")).progress).toEqual({ sheep: 3 });
    const answer = await ada.task({ title: "count" }, { taskId: "outside" }, () =>
      call(ada.tools, "tasks", complete),
    );
    expect(answer).toBe("completed outside");
    await until(async () => (await network.hub.getTask("outside")).result === 12);
  });

  it("N-104 tasks cancel asks the owner, in the task's channel, and forces nothing", async () => {
    await using network = await start();
    const { client: ada } = await network.agent("ada", ["", ""]);
    const bob = await network.ackOnly("bob");
    const { channelId } = await ada.open({ type: "conversation", target: "bob" });
    await bob.hub.observeTask(runningTask(bob.agentId, { channel_id: channelId }));
    const args = { action: "cancel", task_id: "task-1", reason: "too late" };
    const answer = await call(ada.tools, "tasks", args);
    expect(answer).toBe(`cancel_request posted to ${bob.agentId} for task task-1`);
    const requests = (await network.wal(channelId)).filter(
      ({ event_type }) => event_type === EV_TASK_CANCEL_REQUEST,
    );
    expect(requests).toMatchObject([{ sender_id: ada.agentId, audience: [bob.agentId] }]);
    expect(requests[0]?.event_data).toEqual({ task_id: "task-1", reason: "too late" });
    expect((await network.hub.getTask("task-1")).state).toBe("running");
  });

  it("N-105 N-106 tasks cancel says why nothing can be cancelled", async () => {
    await using network = await start();
    const { client } = await network.agent("bob");
    await client.hub.observeTask(runningTask(client.agentId));
    const cancel = () => call(client.tools, "tasks", { action: "cancel", task_id: "task-1" });
    expect(await cancel()).toContain("no associated channel");
    await client.hub.updateTask("task-1", { state: "completed" });
    expect(await cancel()).toBe("task 'task-1' is already completed");
    expect(await network.hub.listChannels()).toEqual([]);
  });

  it("wrong arguments and unknown actions come back as sentences", async () => {
    await using network = await start();
    const { client } = await network.agent("ada");
    const run = (name: string, args: Args) => call(client.tools, name, args);
    const list: readonly (readonly [string, Args, string])[] = [
      ["peers", { action: "hunt" }, "Error: unknown action 'hunt'; choose from find, describe"],
      [
        ...(["channels", { action: "x" }] as const),
        "Error: unknown action 'x'; choose from list, open, info, close",
      ],
      [
        ...(["tasks", { action: "x" }] as const),
        "Error: unknown action 'x'; choose from progress, complete, list, status, wait, cancel",
      ],
      ["context", { action: "x" }, "Error: unknown action 'x'; choose from search, quote"],
      ["peers", { action: "describe" }, "Error: describe requires `name` (or agent_id)"],
      ["channels", { action: "open" }, "Error: open requires `type` and `target`"],
      ["channels", { action: "info" }, "Error: info requires `channel_id`"],
      ["channels", { action: "info", channel_id: "c" }, "Error: channel 'c' not found"],
      ["channels", { action: "close" }, "Error: close requires `channel_id` or an active channel"],
      [
        ...(["tasks", { action: "progress" }] as const),
        "Error: progress requires an active `agent.task(...)` block",
      ],
      ["tasks", { action: "wait" }, "Error: wait requires `task_id`"],
      ["tasks", { action: "status", task_id: "t" }, "Error: task 't' not found"],
      ["context", { action: "search" }, "Error: search requires `query`"],
      [
        ...(["context", { action: "search", query: "x" }] as const),
        "Error: search scope=channel requires an active channel",
      ],
      ["context", { action: "quote" }, "Error: quote requires `speaker`"],
      [
        ...(["context", { action: "quote", speaker: "ada" }] as const),
        "Error: quote requires an active channel or `channel_id`",
      ],
      [
        ...(["context", { action: "quote", speaker: "zoe", channel_id: "c" }] as const),
        "Error: speaker 'zoe' not found",
      ],
    ];
    for (const [name, args, sentence] of list) expect(await run(name, args)).toBe(sentence);
    expect(await run("delegate", { target: 7, prompt: "x" })).toMatch(
      /^Error: delegate: argument `target` is wrong/,
    );
  });
});

it("delegate and wait end at their time, and the channel of the question is closed", async () => {
  const clock = createFakeClock();
  await using network = await startTestNetwork({ hub: { clock }, client: { clock } });
  const { client } = await network.agent("ada");
  await network.ackOnly("bob");
  const args = { target: "bob", prompt: "Hello?", timeout: 2 };
  const asked = call(client.tools, "delegate", args);
  const questions = async () => {
    const [channel] = await network.hub.listChannels();
    return channel === undefined ? [] : network.texts(channel.channel_id);
  };
  await until(async () => (await questions()).length === 1);
  let answer: unknown;
  void asked.then((text) => {
    answer = text;
  });
  await until(() => {
    clock.advance(1_000);
    return answer !== undefined;
  });
  expect(answer).toBe("Error: delegate to 'bob' timed out after 2.0s");
  await until(async () => (await network.hub.listChannels())[0]?.state === "closed");

  await client.hub.observeTask(runningTask(client.agentId));
  let waited: unknown;
  void call(client.tools, "tasks", { action: "wait", task_id: "task-1", timeout: 1.5 }).then(
    (text) => {
      waited = text;
    },
  );
  await until(() => {
    clock.advance(500);
    return waited !== undefined;
  });
  expect(waited).toBe("Error: task 'task-1' did not complete within 1.5s");
});

it("peers are put in order of cost or track record, those without one last", async () => {
  await using network = await startTestNetwork();
  const { client } = await network.agent("ada");
  const cost = (input_per_mtok: number) => ({
    passport: { cost: { input_per_mtok, output_per_mtok: null, latency_tier: null } },
  });
  await network.agent("dear", [], cost(9));
  await network.agent("unknown");
  await network.agent("free", [], cost(0));
  const good = await network.agent("good", [], cost(3));
  const observe = (id: string, outcome: "completed" | "failed", task_id: string) =>
    network.hub.recordObservation({ owner_id: id, capability: "math", outcome, task_id });
  await observe(good.client.agentId, "completed", "t1");
  await observe(good.client.agentId, "failed", "t2");
  const names = async (sort_by: string) => {
    const found = await call(client.tools, "peers", { action: "find", sort_by });
    return (found as { name: string }[]).map(({ name }) => name);
  };
  expect(await names("cost")).toEqual(["free", "good", "dear", "unknown"]);
  expect((await names("track_record"))[0]).toBe("good");
  expect(await names("name")).toEqual(["dear", "free", "good", "unknown"]);
});

it("context reads a long channel page by page, from either end", async () => {
  await using network = await startTestNetwork();
  const ada = await network.ackOnly("ada");
  const bob = await network.ackOnly("bob");
  const channel = await ada.open({ type: "conversation", target: "bob" });
  const posts = Array.from({ length: 450 }, (_, n) => channel.send(`line ${n} of many`));
  await Promise.all(posts);
  const run = (args: Args) =>
    call(bob.tools, "context", { ...args, channel_id: channel.channelId }) as Promise<
      { excerpt: string; text: string }[]
    >;
  const found = await run({ action: "search", query: "line 4", limit: 3 });
  expect(found.map(({ excerpt }) => excerpt)).toEqual([
    ...["line 4 of many", "line 40 of many", "line 41 of many"],
  ]);
  const said = await run({ action: "quote", speaker: "ada", recent_n: 2 });
  expect(said.map(({ text }) => text)).toEqual(["line 448 of many", "line 449 of many"]);
  await channel.send("y".repeat(300));
  const [long] = await run({ action: "search", query: "yyy" });
  expect(long?.excerpt).toBe(`${"y".repeat(239)}…`);
});

/** The tool `say` of a channel's type, outside a turn. */
async function sayTool(client: AgentClient, channelId: string): Promise<Tool> {
  const { metadata } = await client.channel(channelId);
  const adapter = client.hub.adapterFor(metadata);
  const { state } = await client.hub.adapterState(channelId);
  const port = {
    channelId: null,
    agentId: client.agentId,
    post: client.send,
    resolveName: (name: string) => client.hub.findAgentId(name),
  };
  const [tool] = adapter.toolsFor(port, metadata, state, client.agentId);
  if (tool === undefined) throw new Error("no tool 'say'");
  return tool;
}
