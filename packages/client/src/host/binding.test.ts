import {
  AuthError,
  createPassport,
  createResume,
  createRule,
  type HelloFrame,
  NotFoundError,
  type Passport,
} from "@colloquy/protocol";
import {
  type AcceptedConnection,
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
import { createScriptedAgent } from "../agent/scripted-agent.js";
import { createHubClient } from "../create-hub-client.js";
import type { HubClient, HubClientOptions } from "../hub-client.js";
import { createLocalLink } from "../link/local-link.js";

const open: HubClient[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

const stamped = (passport: Passport): Passport => ({
  ...passport,
  agent_id: `id-${passport.name}`,
});
const registry = {
  register: (params: Record<string, unknown>) => stamped(params["passport"] as Passport),
  find_agent_id: ({ name }: Record<string, unknown>) => `id-${String(name)}`,
  get_agent: ({ name_or_id }: Record<string, unknown>) =>
    stamped(
      createPassport({
        name: String(name_or_id).slice("id-".length),
        auth: { scheme: "api_key", claim: {} },
      }),
    ),
  get_resume: () => createResume(),
  get_rule: () => createRule(),
  unregister: () => null,
};

/** A hub that decides on each hello; `true` welcomes it. */
function helloScript(decide: (hello: HelloFrame) => true | Error): FrameScript {
  const others = scriptOperations(registry);
  return (frame, connection) => {
    if (frame.kind !== "hello") return others(frame, connection);
    const verdict = decide(frame);
    if (verdict === true) return connection.welcome();
    refuseHello(connection, verdict);
  };
}

function refuseHello(connection: AcceptedConnection, error: Error): void {
  const code = error instanceof AuthError ? "auth_failed" : "not_found";
  connection.send({ kind: "error", code, message: error.message, envelope_id: null });
}

function start(script: FrameScript, options: Partial<HubClientOptions> = {}) {
  const clock = createFakeClock();
  const acceptor = createFakeAcceptor(script);
  const link = faultyLink({ ...createLocalLink(acceptor), remote: true }, { clock });
  const logger = createRecordingLogger();
  const client = createHubClient({
    ...{ link, clock, logger, ids: createFakeIds(), random: () => 0.5 },
    ...options,
  });
  open.push(client);
  return { clock, acceptor, link, logger, client };
}

const hellos = (connection: AcceptedConnection): HelloFrame[] =>
  connection.received.filter((frame) => frame.kind === "hello");
const withKey = (key: string) => ({
  passport: { auth: { scheme: "api_key", claim: { key } } },
});
const agent = (name: string) => createScriptedAgent(name);

describe("after a break", () => {
  it("every participant is bound again, each with its claim, from the beginning", async () => {
    const { clock, acceptor, link, client } = start(helloScript(() => true));
    await client.register(agent("ada"), withKey("one"));
    await client.register(agent("bob"), withKey("two"));
    link.cut();
    await clock.advanceAsync(250);
    await until(() => hellos(acceptor.latest).length === 2);
    expect(hellos(acceptor.latest)).toEqual([
      {
        ...{ kind: "hello", name: "ada", auth_scheme: "api_key", auth_claim: { key: "one" } },
        since_envelope_id: "",
      },
      {
        ...{ kind: "hello", name: "bob", auth_scheme: "api_key", auth_claim: { key: "two" } },
        since_envelope_id: "",
      },
    ]);
    expect(client.endpointId).toBe(acceptor.latest.endpointId);
  });

  it("requests wait until the participants are bound", async () => {
    const held: (() => void)[] = [];
    const script = helloScript(() => true);
    const { clock, acceptor, link, client } = start(script);
    await client.register(agent("ada"));
    acceptor.script = (frame, connection) => {
      if (frame.kind === "hello") held.push(() => script(frame, connection));
      else script(frame, connection);
    };
    link.cut();
    await clock.advanceAsync(250);
    const asking = client.findAgentId("bob");
    await until(() => held.length === 1);
    await settle();
    expect(acceptor.latest.requests).toEqual([]);
    held[0]?.();
    expect(await asking).toBe("id-bob");
  });

  it("one whose agent has gone is stopped, the others go on", async () => {
    const { clock, link, client, logger } = start(
      helloScript(({ name }) => name === "bob" || new NotFoundError(`unknown name: ${name}`)),
    );
    const ada = await client.register(agent("ada"));
    const bob = await client.register(agent("bob"));
    link.cut();
    await clock.advanceAsync(250);
    const { reason, error } = await ada.stopped;
    expect(reason).toBe("refused");
    expect(error).toBeInstanceOf(NotFoundError);
    expect(bob.status).toBe("active");
    expect(client.participants).toEqual([bob]);
    expect(logger.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });
});

describe("credentials", () => {
  it("F-071 the supplier is asked for every attempt, at the first one and after a break", async () => {
    let valid = "t2";
    const tokens = ["t1", "t2", "t2", "t3"];
    const { clock, acceptor, link, client } = start(
      helloScript(({ auth_claim }) => auth_claim["token"] === valid || new AuthError("expired")),
      { credentials: async () => ({ token: tokens.shift() ?? "none" }) },
    );
    const ada = await client.attach(agent("ada"), "ada");
    const claims = () => hellos(acceptor.latest).map(({ auth_claim }) => auth_claim["token"]);
    expect(claims()).toEqual(["t1", "t2"]);

    valid = "t3";
    await clock.advanceAsync(3 * 3_600_000);
    link.cut();
    await clock.advanceAsync(30_000);
    await until(() => claims().includes("t3"));
    expect(claims()).toEqual(["t2", "t3"]);
    expect(ada.status).toBe("active");
    expect(tokens).toEqual([]);
  });

  it("a supplier that fails for a while is asked again behind the others", async () => {
    let fails = 2;
    const { clock, acceptor, link, client } = start(
      helloScript(() => true),
      {
        credentials(name) {
          if (name === "ada" && fails-- > 0) throw new Error("the vault is closed");
          return {};
        },
      },
    );
    fails = 0;
    const ada = await client.register(agent("ada"), withKey("x"));
    await client.register(agent("bob"), withKey("x"));
    fails = 2;
    link.cut();
    await clock.advanceAsync(60_000);
    await until(() => hellos(acceptor.latest).length === 2);
    expect(hellos(acceptor.latest).map(({ name }) => name)).toEqual(["bob", "ada"]);
    expect(ada.status).toBe("active");
  });

  it("an attach that is refused rejects and leaves nothing behind", async () => {
    const { client } = start(helloScript(() => new AuthError("unknown key")));
    await expect(client.attach(agent("ada"), "ada")).rejects.toBeInstanceOf(AuthError);
    expect(client.participants).toEqual([]);
  });

  it("an attach survives a break in the middle of its hello", async () => {
    let hits = 0;
    const welcome = helloScript(() => true);
    const { clock, client } = start((frame, connection) => {
      if (frame.kind === "hello" && hits++ === 0) connection.close(1011, "fault");
      else welcome(frame, connection);
    });
    const attaching = client.attach(agent("ada"), "ada");
    await clock.advanceAsync(1_000);
    expect((await attaching).agentId).toBe("id-ada");
  });
});

describe("refusals and failures of the hub", () => {
  it("F-073 a permanent refusal ends the retries and is reported once, a passing failure does not", async () => {
    const { clock, acceptor, link, client, logger } = start(helloScript(() => true));
    const ada = await client.register(agent("ada"), withKey("revoked"));
    acceptor.script = helloScript(() => new AuthError("unknown key"));
    link.cut();
    await clock.advanceAsync(250);
    expect((await ada.stopped).error).toMatchObject({
      code: "auth_failed",
      message: "unknown key",
    });
    const seen = acceptor.connections.length;
    acceptor.latest.close(4001, "no hello or request within 10 s");
    await clock.advanceAsync(600_000);
    expect(acceptor.connections).toHaveLength(seen);
    const refusals = logger.lines.filter(({ level }) => level === "error");
    expect(refusals).toHaveLength(1);
    expect(refusals[0]?.fields).toMatchObject({ participant: "ada", error: "unknown key" });
    await expect(ada.send({ channel_id: "c", event_type: "x", event_data: {} })).rejects.toThrow(
      "disconnected (refused)",
    );

    acceptor.script = helloScript(() => true);
    const bob = await client.register(agent("bob"));
    const dials = link.dials;
    link.refuse(20, new Error("ECONNREFUSED"));
    link.cut();
    await clock.advanceAsync(600_000);
    expect(link.dials - dials).toBeGreaterThan(20);
    expect(link.dials - dials).toBeLessThan(40);
    expect(bob.status).toBe("active");
    expect(link.open).toBe(1);

    const before = link.dials;
    acceptor.latest.close(1001, "idle");
    await clock.advanceAsync(1_000);
    await until(() => hellos(acceptor.latest).length === 1);
    expect(link.dials).toBe(before + 1);
    expect(bob.status).toBe("active");
    expect(logger.lines.filter(({ level }) => level === "error")).toHaveLength(1);
  });

  it("F-072 fifty clients come back spread out, and a hub that drops everyone is asked less and less", async () => {
    const clock = createFakeClock();
    const acceptor = createFakeAcceptor(helloScript(() => true));
    const link = faultyLink({ ...createLocalLink(acceptor), remote: true }, { clock });
    let seed = 0;
    const random = () => {
      seed = (seed * 16_807 + 11) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (let index = 0; index < 50; index += 1) {
      const client = createHubClient({ link, clock, ids: createFakeIds(), random });
      open.push(client);
      await client.register(agent(`agent-${index}`));
    }
    await clock.advanceAsync(10_000);
    const times: number[] = [];
    const welcome = helloScript(() => true);
    acceptor.script = (frame, connection) => {
      if (frame.kind === "hello") times.push(clock.now());
      welcome(frame, connection);
    };
    const cutAt = clock.now();
    link.cut();
    await clock.advanceAsync(300);
    expect(times).toHaveLength(50);
    expect(new Set(times.map((time) => Math.floor((time - cutAt) / 25))).size).toBeGreaterThan(7);

    times.length = 0;
    const dropping = (index: number): number =>
      times.filter((time) => time >= clock.now() - index).length;
    acceptor.script = (frame, connection) => {
      if (frame.kind !== "hello") return;
      times.push(clock.now());
      connection.welcome();
      connection.close(1011, "no");
    };
    link.cut();
    await clock.advanceAsync(60_000);
    const lastTenSeconds = dropping(10_000);
    expect(times.length).toBeLessThan(50 * 12);
    expect(lastTenSeconds).toBeLessThan(50);
    await clock.advanceAsync(120_000);
    expect(dropping(60_000)).toBeLessThan(50 * 6);

    acceptor.script = welcome;
    await clock.advanceAsync(60_000);
    expect(link.open).toBe(50);
    link.cut();
    await clock.advanceAsync(250);
    expect(link.open).toBe(50);
  });

  it("a participant that was taken over elsewhere stops and does not fight back, the others go on", async () => {
    const { clock, acceptor, link, client } = start(helloScript(() => true));
    const ada = await client.register(agent("ada"));
    const bob = await client.register(agent("bob"));
    acceptor.latest.send({ kind: "hint", hint: "replaced", agent_id: ada.agentId });
    expect((await ada.stopped).reason).toBe("replaced");
    expect(bob.status).toBe("active");
    link.cut();
    await clock.advanceAsync(250);
    await until(() => hellos(acceptor.latest).length > 0);
    expect(hellos(acceptor.latest).map(({ name }) => name)).toEqual(["bob"]);
  });

  it("waits for as long as a draining hub asks", async () => {
    const { clock, acceptor, link, client } = start(helloScript(() => true));
    await client.register(agent("ada"));
    acceptor.latest.send({ kind: "hint", hint: "drain", retry_after_ms: 5_000 });
    acceptor.latest.close(1012, "restarting");
    await clock.advanceAsync(4_999);
    expect(link.dials).toBe(1);
    await clock.advanceAsync(251);
    expect(link.dials).toBe(2);
  });
});
