import { NotFoundError, type RequestFrame } from "@colloquy/protocol";
import {
  createFakeAcceptor,
  createFakeClock,
  createFakeIds,
  createRecordingLogger,
  type FrameScript,
  faultyLink,
  scriptOperations,
  settle,
  until,
} from "@colloquy/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { createHubClient } from "../create-hub-client.js";
import { isClientError } from "../errors.js";
import type { HubClient, HubClientOptions } from "../hub-client.js";
import { createLocalLink } from "../link/local-link.js";

const open: HubClient[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

function start(script: FrameScript = scriptOperations(), options: Partial<HubClientOptions> = {}) {
  const clock = createFakeClock();
  const acceptor = createFakeAcceptor(script);
  const link = faultyLink({ ...createLocalLink(acceptor), remote: true }, { clock });
  const logger = createRecordingLogger();
  const client = createHubClient({
    link,
    clock,
    ids: createFakeIds(),
    logger,
    random: () => 0.5,
    ...options,
  });
  open.push(client);
  return { clock, acceptor, link, logger, client };
}

const names = { find_agent_id: ({ name }: RequestFrame["params"]) => `id of ${String(name)}` };
const draft = { channel_id: "c", sender_id: "a", event_type: "x", event_data: {} };
const codeOf = (error: unknown): string => (isClientError(error) ? error.code : String(error));
const outcome = (promise: Promise<unknown>): Promise<unknown> => promise.catch(codeOf);

describe("requests", () => {
  it("dials at the first need only", async () => {
    const { link, client } = start(scriptOperations(names));
    await settle();
    expect(link.dials).toBe(0);
    await client.findAgentId("ada");
    expect(link.dials).toBe(1);
  });

  it("run at the same time and meet their own answers, in whatever order those come", async () => {
    const { acceptor, client } = start(() => undefined);
    const answers = Promise.all(["a", "b", "c"].map((name) => client.findAgentId(name)));
    const requests = await until(() => {
      const { requests: sent } = acceptor.latest;
      return sent.length === 3 && sent;
    });
    expect(new Set(requests.map(({ request_id }) => request_id)).size).toBe(3);
    for (const request of [...requests].reverse()) {
      acceptor.latest.answer(request, `id of ${String(request.params["name"])}`);
    }
    expect(await answers).toEqual(["id of a", "id of b", "id of c"]);
  });

  it("raise what the hub refuses as the hub's own error", async () => {
    const { client } = start(
      scriptOperations({
        get_agent() {
          throw new NotFoundError("agent not found: nobody");
        },
      }),
    );
    const asking = client.getAgent("nobody");
    await expect(asking).rejects.toBeInstanceOf(NotFoundError);
    await expect(asking).rejects.toThrow("nobody");
  });

  it("take an answer to nothing for nothing, and one of the wrong shape for an error", async () => {
    const { acceptor, client } = start(scriptOperations({ ...names, get_agent: () => 1 }));
    await client.findAgentId("ada");
    acceptor.latest.answer({ kind: "request", request_id: "99", op: "x", params: {} }, 1);
    const [error] = await Promise.allSettled([client.getAgent("ada")]);
    expect(error).toMatchObject({ reason: { code: "client/bad_answer" } });
  });

  it("fail when no answer comes in time, and say what for", async () => {
    const { clock, client } = start();
    const asking = outcome(client.findAgentId("ada"));
    await clock.advanceAsync(29_999);
    const still = await Promise.race([asking, settle().then(() => "waiting")]);
    expect(still).toBe("waiting");
    await clock.advanceAsync(1);
    expect(await asking).toBe("client/timed_out");
  });

  it("say why there is no connection when they waited for one in vain", async () => {
    const { clock, link, client } = start();
    link.refuse(1000, new Error("ECONNREFUSED"));
    const asking = client.findAgentId("ada").catch((error: Error) => error.message);
    await clock.advanceAsync(30_000);
    expect(await asking).toMatch(/find_agent_id.*30000 ms.*not connected.*ECONNREFUSED/);
  });

  it("can be aborted", async () => {
    const { client } = start();
    const abort = new AbortController();
    const posting = outcome(client.post(draft, { signal: abort.signal }));
    await settle();
    abort.abort();
    expect(await posting).toBe("client/aborted");
    expect(await outcome(client.post(draft, { signal: abort.signal }))).toBe("client/aborted");
  });
});

describe("a break", () => {
  const posted = {
    envelope_id: "e",
    position: 1,
    created_at: "t",
    duplicate: false,
    notes: [],
  };

  it("makes reads and posts with a key go out again, and others fail", async () => {
    const { clock, acceptor, link, client } = start();
    const read = client.findAgentId("ada");
    const withKey = client.post({ ...draft, idempotency_key: "k" });
    const withoutKey = outcome(client.post(draft));
    const change = outcome(client.setSkill("a", "text"));
    await until(() => acceptor.latest.requests.length === 4);
    acceptor.script = scriptOperations({ ...names, post: () => posted });
    link.cut();
    expect(await withoutKey).toBe("client/connection_lost");
    expect(await change).toBe("client/connection_lost");
    await clock.advanceAsync(250);
    expect(await read).toBe("id of ada");
    expect(await withKey).toEqual(posted);
    const again = acceptor.latest.requests.map(({ op }) => op);
    expect(again).toEqual(["find_agent_id", "post"]);
    expect(acceptor.latest.requests[1]?.params["envelope"]).toMatchObject({
      idempotency_key: "k",
    });
  });

  it("lets requests wait that come while the link is down, in order", async () => {
    const { clock, acceptor, link, client } = start(scriptOperations({ ...names }));
    await client.findAgentId("ada");
    link.refuse(2);
    link.cut();
    const waiting = Promise.all([client.findAgentId("bob"), client.findAgentId("eve")]);
    await clock.advanceAsync(5_000);
    expect(await waiting).toEqual(["id of bob", "id of eve"]);
    expect(acceptor.latest.requests.map(({ params }) => params["name"])).toEqual(["bob", "eve"]);
    expect(link.dials).toBe(4);
  });

  it("is not repeated for ever by a request that causes it", async () => {
    const { clock, acceptor, client } = start((frame, connection) => {
      if (frame.kind === "request") connection.close(1009, "too big");
    });
    const reading = client.findAgentId("ada").catch((error: Error) => error);
    await clock.advanceAsync(60_000);
    expect(await reading).toMatchObject({ code: "too_large" });
    expect(acceptor.connections).toHaveLength(2);
  });

  it("closed over a message too big fails the request that caused it, and no other", async () => {
    const answer = scriptOperations({ ...names });
    const guilty = "g".repeat(100);
    const { clock, client } = start((frame, connection) => {
      if (frame.kind !== "request") return;
      if (frame.params["name"] === guilty) connection.close(1009, "too big");
      else if (frame.params["name"] !== "slow") answer(frame, connection);
    });
    const asked = ["ada", "slow", guilty, "bob"].map((name) =>
      client.findAgentId(name).catch((error: { code?: string }) => error.code),
    );
    await clock.advanceAsync(10_000);
    const late = client.findAgentId("eve");
    await clock.advanceAsync(60_000);
    expect(await Promise.all(asked)).toEqual([
      "id of ada",
      "client/timed_out",
      "too_large",
      "id of bob",
    ]);
    expect(await late).toBe("id of eve");
  });

  it("repeats a request five times at most", async () => {
    const { clock, acceptor, client } = start(
      (frame, connection) => {
        if (frame.kind === "request") connection.close(1011, "fault");
      },
      { requestTimeoutMs: 600_000 },
    );
    const reading = outcome(client.findAgentId("ada"));
    await clock.advanceAsync(120_000);
    expect(await reading).toBe("client/connection_lost");
    expect(acceptor.connections).toHaveLength(5);
  });

  it("is not mended when nobody needs the hub", async () => {
    const { clock, link, client } = start(scriptOperations(names));
    await client.findAgentId("ada");
    link.cut();
    await clock.advanceAsync(600_000);
    expect(link.dials).toBe(1);
    await client.findAgentId("bob");
    expect(link.dials).toBe(2);
  });

  it("ends the client when reconnecting is switched off", async () => {
    const { link, client } = start(scriptOperations(names), { reconnect: false });
    await client.findAgentId("ada");
    link.cut();
    expect(await client.closed).toMatchObject({ code: 1006 });
    expect(client.isClosed).toBe(true);
    expect(await outcome(client.findAgentId("bob"))).toBe("client/closed");
  });

  it("is told at once when reconnecting is switched off and there is no hub", async () => {
    const { link, client } = start(scriptOperations(names), { reconnect: false });
    link.refuse(1, new Error("ECONNREFUSED"));
    expect(await outcome(client.connect())).toBe("client/unreachable");
  });
});

describe("liveness", () => {
  it("a hub that goes silent is given up after two beats and dialled again", async () => {
    const script = scriptOperations(names);
    const { clock, acceptor, link, client } = start(script, { heartbeatMs: 1000 });
    await client.findAgentId("ada");
    await clock.advanceAsync(10_000);
    expect(link.dials).toBe(1);
    acceptor.script = () => undefined;
    const reading = client.findAgentId("bob");
    await clock.advanceAsync(3_000);
    acceptor.script = script;
    await clock.advanceAsync(2_000);
    expect(await reading).toBe("id of bob");
    expect(link.dials).toBeGreaterThanOrEqual(2);
  });

  it("answers the hub's pings", async () => {
    const { acceptor, client } = start(scriptOperations(names));
    await client.findAgentId("ada");
    acceptor.latest.send({ kind: "ping" });
    await until(() => acceptor.latest.received.some(({ kind }) => kind === "pong"));
  });

  it("logs an error frame that belongs to nothing, and what is no frame", async () => {
    const { acceptor, client, logger } = start(scriptOperations(names));
    await client.findAgentId("ada");
    const details = { envelope_id: null, details: null };
    acceptor.latest.send({ kind: "error", code: "error", message: "odd", ...details });
    acceptor.latest.send({ kind: "nonsense" } as never);
    await until(() => logger.lines.length === 2);
    expect(await client.findAgentId("bob")).toBe("id of bob");
  });

  it("an error frame that names a request fails that request", async () => {
    const { client } = start((frame, connection) => {
      if (frame.kind !== "request") return;
      const { request_id } = frame;
      const rest = { envelope_id: null, code: "too_large", message: "no" };
      connection.send({ kind: "error", request_id, ...rest });
    });
    await expect(client.findAgentId("ada")).rejects.toMatchObject({ code: "too_large" });
  });
});

describe("the end", () => {
  it("fails what waits, and everything after", async () => {
    const { acceptor, client } = start();
    const asking = outcome(client.findAgentId("ada"));
    await until(() => acceptor.connections.length === 1);
    await client.close();
    await client.close();
    expect(await asking).toBe("client/closed");
    await expect(client.findAgentId("ada")).rejects.toThrow("closed");
    expect(await client.closed).toEqual({ code: 1000, reason: "closed by the client" });
    await until(() => acceptor.latest.closed);
  });

  it("leaves no timer behind", async () => {
    const { clock, client, link } = start();
    const asking = outcome(client.findAgentId("ada"));
    await settle();
    link.refuse(3);
    link.cut();
    await settle();
    await client.close();
    await asking;
    expect(clock.pendingTimers).toBe(0);
  });

  it("shows every step as status", async () => {
    const { clock, link, client } = start(scriptOperations(names));
    const steps: string[] = [];
    const reading = (async () => {
      for await (const { state } of client.status()) steps.push(state);
    })();
    await client.findAgentId("ada");
    const asking = client.listAgents();
    await settle();
    link.cut();
    await clock.advanceAsync(250);
    await client.close();
    await outcome(asking);
    await reading;
    expect(steps).toEqual([
      "idle",
      "connecting",
      "open",
      "reconnecting",
      "reconnecting",
      "open",
      "closed",
    ]);
  });
});
