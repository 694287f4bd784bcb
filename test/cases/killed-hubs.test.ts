import { dumpGraph, roundRobinGraph } from "@colloquy/adapters";
import {
  type AgentClient,
  createHubClient,
  createScriptedAgent,
  type HubClient,
  type HubClientOptions,
} from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import {
  createPassport,
  createResume,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_TEXT,
  UnavailableError,
} from "@colloquy/protocol";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import {
  createFakeClock,
  faulty,
  faultyLink,
  type Met,
  makeTempFolder,
  settle,
  until as untilSoon,
} from "@colloquy/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { type BareLink, connectBare } from "../fixtures/bare-link.js";
import { startTestNetwork, textsOf } from "../fixtures/test-network.js";
import { type Program, startProgram } from "../store/start-program.js";

/** Waits for what other processes do, which take their time. */
const until = <T>(condition: () => T | Promise<T>): Promise<Met<T>> =>
  untilSoon(condition, { timeoutMs: 20_000 });

/** The largest wait between two dials that a client's defaults state. */
const BACK_OFF_LIMIT_MS = 30_000;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function clientOf(url: string, options: Partial<HubClientOptions> = {}): HubClient {
  const link = createNodeLink(url);
  const client = createHubClient({ link, reconnect: { baseMs: 20, maxMs: 200 }, ...options });
  ends.push(() => client.close());
  return client;
}

function dataFile(): string {
  const folder = makeTempFolder();
  ends.push(() => folder[Symbol.dispose]());
  return folder.at("hub.db");
}

function start(name: string, ...args: string[]): Program {
  const program = startProgram(name, ...args);
  ends.push(() => program.kill());
  return program;
}

/** Runs `colloquy serve`; resolves when it listens. */
async function serve(path: string, port = "0") {
  const args = ["--port", port, "--data", path, "--json", "--log-level", "silent"];
  const program = start("../../packages/cli/src/main", "serve", ...args);
  const { url } = JSON.parse(await program.line("{")) as { url: string };
  return { program, url, port: new URL(url).port };
}

describe("a hub whose process is killed", { timeout: 90_000 }, () => {
  it("F-060 finds its five agents again within the back-off limit, and their channels go on", async () => {
    const path = dataFile();
    const first = await serve(path);
    const clock = createFakeClock();
    const names = ["ada", "bob", "cleo", "dan", "eve"];
    const seats = names.map((name) => ({ name, link: faultyLink(createNodeLink(first.url)) }));
    const release: (() => void)[] = [];
    const agents: AgentClient[] = [];
    for (const { name, link } of seats) {
      const options = { link, clock, heartbeatMs: 0, random: () => 0.999 };
      const client = clientOf(first.url, { ...options, reconnect: {} });
      const script = createScriptedAgent(name, async ({ input }) => {
        if (String(input).includes("slowly")) await new Promise<void>((r) => release.push(r));
        return String(input).includes("?") ? `${name} answers` : null;
      });
      agents.push(await client.register(script));
    }
    const [ada, bob, cleo] = agents as [AgentClient, AgentClient, AgentClient];
    const hugo = await clientOf(first.url).registerHuman({ name: "hugo" });
    const talks = await Promise.all(
      names.map((name) => hugo.open({ type: "conversation", target: name })),
    );
    const graph = JSON.parse(
      dumpGraph(
        roundRobinGraph(
          agents.map((a) => a.agentId),
          12,
        ),
      ),
    );
    const flow = await ada.open({ type: "workflow", target: names.slice(1), knobs: { graph } });
    const group = await hugo.open({ type: "discussion", target: ["bob", "cleo"] });
    const ids = agents.map(({ agentId }) => agentId);
    const shared = [flow, ...talks, group];
    const members = () =>
      Promise.all(
        shared.map(async (channel) => {
          const { state, participants } = await channel.info();
          return [state, participants.map(({ agent_id }) => agent_id)];
        }),
      );
    const before = await members();
    // One turn is under way.
    await talks[0]?.send("slowly: are you there?");
    await until(() => release.length === 1);

    const idle = clock.pendingTimers;
    await first.program.kill();
    await until(() => agents.every(({ hub }) => hub.endpointId === ""));
    await clock.advanceAsync(250);
    await until(
      () => seats.every(({ link }) => link.dials === 2) && clock.pendingTimers === idle + 5,
    );
    const second = await serve(path, first.port);
    await clock.advanceAsync(BACK_OFF_LIMIT_MS);
    await until(() => agents.every(({ hub }) => hub.endpointId !== ""));
    expect(agents.map(({ status }) => status)).toEqual(names.map(() => "active"));

    for (const open of release) open();
    await Promise.all(talks.slice(1).map((channel) => channel.send("still there?")));
    await flow.send("begin: who is next?");
    await group.send("and you?");
    const textsIn = async (channelId: string) => textsOf(await hugo.hub.readWal(channelId));
    for (const [index, { channelId }] of talks.entries()) {
      await until(async () => (await textsIn(channelId)).length === 2);
      expect((await textsIn(channelId))[1]).toBe(`${names[index]} answers`);
    }
    await until(async () => (await textsIn(group.channelId)).includes("bob answers"));
    const state = async () => (await ada.hub.adapterState(flow.channelId)).state;
    await until(async () => Number(((await state()) as { turn_count: number }).turn_count) >= 2);

    const listed = await hugo.hub.listAgents();
    const ours = listed.filter(({ name }) => name !== "hugo");
    expect(ours.map(({ name, agent_id }) => [name, agent_id])).toEqual(
      names.map((name, index) => [name, ids[index]]),
    );
    expect(await members()).toEqual(before);
    expect([bob.agentId, cleo.agentId]).toEqual(ids.slice(1, 3));
    await second.program.kill();
  });
});

/** A sender on a bare link, which sends nothing twice by itself. */
async function bareSender(url: string, name: string): Promise<BareLink & { agentId: string }> {
  const bare = await connectBare(createNodeLink(url));
  ends.push(() => bare.close());
  const passport = createPassport({ name });
  const { result } = await bare.request("register", { passport, resume: createResume() });
  return Object.assign(bare, { agentId: (result as { agent_id: string }).agent_id });
}

// In this hub an envelope is folded before it is appended, and queued for its recipients after.
const POINTS = ["folded", "appended", "queued", "notified", "answered"] as const;

describe("a hub that dies over a send", { timeout: 60_000 }, () => {
  it.each(POINTS)(
    "F-088 when it is %s: it is there fully or not at all, and a repeat settles it",
    async (point) => {
      const path = dataFile();
      const first = start("../programs/hub", path, "0", point);
      const url = (await first.line("listening")).slice("listening ".length);
      const handled: unknown[] = [];
      const bob = await clientOf(url).register(
        createScriptedAgent("bob", ({ input }) => {
          handled.push(input);
          return `bob heard ${String(input)}`;
        }),
      );
      const sender = await bareSender(url, "ada");
      const opening = bob.open({ type: "conversation", target: "ada" });
      const invite = await until(() =>
        sender.notifies.find(({ envelope }) => envelope.event_type === EV_CHANNEL_INVITE),
      );
      const { channel_id } = invite.envelope;
      await sender.post({
        ...{ channel_id, sender_id: sender.agentId, event_type: EV_CHANNEL_INVITE_ACK },
        ...{ event_data: { channel_id }, causation_id: invite.envelope.envelope_id },
      });
      await opening;
      const text = (words: string, key: string) => ({
        ...{ channel_id, sender_id: sender.agentId, event_type: EV_TEXT, audience: null },
        ...{ event_data: { text: words }, idempotency_key: key },
      });
      await sender.post(text("fine", "key-1"));
      await until(() => handled.length === 1);

      const fatal = text("fatal", "key-2");
      sender.send({
        ...{ kind: "request", request_id: "fatal", op: "post", params: { envelope: fatal } },
      });
      expect(await first.ended).toBeNull();
      await until(() => sender.isClosed);
      const answer = sender.frames.find(
        (frame) => frame.kind === "response" && frame.request_id === "fatal",
      );
      if (point === "answered") expect(answer).toMatchObject({ ok: true });
      else expect(answer).toBeUndefined();

      const reader = await openSqliteStore({ path, readonly: true });
      const stored = (await reader.readLog(0)).filter(({ body }) => body.includes('"fatal"'));
      await reader.close();
      expect(stored).toHaveLength(point === "folded" ? 0 : 1);

      start("../programs/hub", path, new URL(url).port);
      await until(() => bob.hub.endpointId !== "");
      if (point !== "folded") await until(() => handled.includes("fatal"));
      const again = await connectBare(createNodeLink(url));
      ends.push(() => again.close());
      expect(await again.hello("ada")).toMatchObject({ kind: "welcome" });
      const { result, ok } = await again.request("post", { envelope: fatal });
      expect(ok).toBe(true);
      expect(result).toMatchObject({ duplicate: point !== "folded" });
      await until(() => handled.includes("fatal"));
      await until(async () => textsOf(await bob.hub.readWal(channel_id)).length === 4);
      expect(textsOf(await bob.hub.readWal(channel_id))).toEqual([
        ...["fine", "bob heard fine"],
        ...["fatal", "bob heard fatal"],
      ]);
      expect(handled.filter((input) => input === "fatal").length).toBeLessThanOrEqual(2);
      const { state } = await bob.hub.adapterState(channel_id);
      expect(state).toMatchObject({ turn_count: 4 });
      const wal = await bob.hub.readWal(channel_id);
      const posted = wal.filter(({ idempotency_key }) => idempotency_key === "key-2");
      expect(posted.map(({ envelope_id }) => envelope_id)).toEqual([
        (result as { envelope_id: string }).envelope_id,
      ]);
      if (answer?.kind === "response") {
        expect(answer.result).toMatchObject({ envelope_id: posted[0]?.envelope_id });
      }
    },
  );
});

describe("a hub that is asked to stop", { timeout: 90_000 }, () => {
  it("F-089 under load keeps what it acknowledged, says that it restarts, and ends well in time", async () => {
    const path = dataFile();
    const first = await serve(path);
    let finish: () => void = () => undefined;
    const ada = await clientOf(first.url).register(
      createScriptedAgent("ada", async ({ input }) => {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return `answer to ${String(input)}`;
      }),
    );
    const away = clientOf(first.url);
    const rule = { limits: { inbox: { max_pending: 0 } } };
    const bob = await away.registerHuman({ name: "bob" }, { rule });
    const hugo = await clientOf(first.url).registerHuman({ name: "hugo" });
    const { channelId: turn } = await hugo.open({ type: "conversation", target: "ada" });
    const sender = await bareSender(first.url, "sender");
    const opening = bob.open({ type: "conversation", target: "sender" });
    const invite = await until(() =>
      sender.notifies.find(({ envelope }) => envelope.event_type === EV_CHANNEL_INVITE),
    );
    const { channel_id } = invite.envelope;
    const own = { channel_id, sender_id: sender.agentId, audience: null };
    const event_data = { channel_id };
    await sender.post({ ...own, event_type: EV_CHANNEL_INVITE_ACK, event_data });
    await opening;
    await away.close();
    await hugo.say(turn, "take your time");
    await until(() => ada.channelInbox(turn).peek().length > 0);

    // Sends go on until the connection ends, whatever is answered.
    let sent = 0;
    const sendOn = (): void => {
      if (sender.isClosed) return;
      for (let n = 0; n < 20; n += 1) {
        sent += 1;
        const envelope = { ...own, event_type: EV_TEXT, event_data: { text: `${sent}` } };
        const request_id = `load-${sent}`;
        sender.send({ kind: "request", request_id, op: "post", params: { envelope } });
      }
      setImmediate(sendOn);
    };
    sendOn();
    await until(() => sender.frames.length > 200);
    process.kill(first.program.pid, "SIGTERM");
    expect(await first.program.ended).toBe(0);
    await until(() => sender.isClosed);
    expect(sender.closedWith).toMatchObject({ code: 1012, reason: "the hub restarts" });

    const acknowledged: string[] = [];
    for (const frame of sender.frames) {
      if (frame.kind !== "response" || !frame.request_id.startsWith("load-")) continue;
      if (frame.ok) acknowledged.push(frame.request_id.slice("load-".length));
      else
        expect(frame).toMatchObject({ error_code: "unavailable", error_message: /shutting down/ });
    }
    expect(acknowledged.length).toBeGreaterThan(100);

    const second = await serve(path, first.port);
    await until(() => [ada, hugo].every(({ hub }) => hub.endpointId !== ""));
    finish();
    const turnTexts = async () => textsOf(await hugo.hub.readWal(turn));
    await until(async () => (await turnTexts()).length === 2);
    expect(await turnTexts()).toEqual(["take your time", "answer to take your time"]);

    // There is no outbox yet; what waits for somebody who is away goes on after the start as it will.
    const heard: string[] = [];
    await clientOf(second.url).attachHuman("bob", {
      onEnvelope({ event_type, event_data: data }) {
        if (event_type === EV_TEXT) heard.push(String(data["text"]));
      },
    });
    const newest = acknowledged.at(-1) ?? "";
    await until(() => heard.includes(newest));
    expect(acknowledged.filter((text) => !heard.includes(text))).toEqual([]);
    expect(new Set(heard).size).toBe(heard.length);
    expect(heard).toEqual([...heard].sort((a, b) => Number(a) - Number(b)));
  });

  it("F-089 refuses new sends at once, and takes what it has accepted to the disk first", async () => {
    let store: ReturnType<typeof faulty> | null = null;
    await using network = await startTestNetwork({
      ...{ transport: "ws", store: "sqlite" },
      wrapStore(inner) {
        store = faulty(inner);
        return store;
      },
      client: { reconnect: { baseMs: 1, maxMs: 1 } },
    });
    const [ada, bob] = [await network.human("ada"), await network.ackOnly("bob")];
    const { channelId } = await ada.open({ type: "conversation", target: "bob" });
    const gate = (store as ReturnType<typeof faulty> | null)?.block("commit");
    const accepted = ada.say(channelId, "accepted");
    await until(() => gate?.waiting === 1);
    const draining = network.hub.drain();
    const refused = ada.say(channelId, "too late");
    await expect(refused).rejects.toBeInstanceOf(UnavailableError);
    await expect(refused).rejects.toThrow("shutting down");
    await expect(ada.open({ type: "conversation", target: "bob" })).rejects.toThrow(
      "shutting down",
    );
    expect(network.hub.health().status).toBe("draining");
    let drained = false;
    void draining.then(() => {
      drained = true;
    });
    await settle();
    expect(drained).toBe(false);
    gate?.release();
    const id = await accepted;
    await draining;
    await network.reopen();
    await until(() => bob.hub.endpointId !== "" && ada.hub.endpointId !== "");
    expect((await network.wal(channelId)).at(-1)?.envelope_id).toBe(id);
    expect(await ada.say(channelId, "after the restart")).toMatch(/^[0-9a-f]{32}$/);
  });
});
