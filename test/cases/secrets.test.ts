import { readFileSync } from "node:fs";
import { createDefaultAdapters } from "@colloquy/adapters";
import { createHubClient, createScriptedAgent } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import { createApiKeyAuth, createNoAuth, openHub } from "@colloquy/hub";
import { createJwtAuth } from "@colloquy/hub/jwt";
import { serveWebSocket } from "@colloquy/hub/ws";
import {
  createPassport,
  createResume,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_TEXT,
  type HubFrame,
} from "@colloquy/protocol";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { createHubTelemetry } from "@colloquy/telemetry";
import { openFileSpanLog, startTelemetry } from "@colloquy/telemetry/node";
import { createHubBench, faulty, makeTempFolder, until } from "@colloquy/testkit";
import { SignJWT } from "jose";
import { expect, it } from "vitest";
import { createLogger } from "../../packages/cli/src/serve/create-logger.js";
import { captureTerminal } from "../cli/capture-terminal.js";
import { startOtlpReceiver } from "../telemetry/otlp-receiver.js";

/** Words that stand in credentials and addresses, and nowhere else. */
const SECRETS = {
  agentKey: "zebra-crossing-agent-key-41",
  wrongKey: "walrus-guess-that-is-wrong-42",
  claim: "quokka-claim-of-own-scheme-43",
  urlUser: "ibex-user-44",
  urlPass: "ibex-pass-45",
  urlPath: "ocelot-path-46",
  urlQuery: "lemur-query-47",
  signing: "whsec_narwhalsigningsecret48",
  bearer: "tapirbearertoken49",
  jwksQuery: "okapi-jwks-50",
} as const;
/** The address of a far side, with a secret wherever an address may have one. */
const ADDRESS = `https://${SECRETS.urlUser}:${SECRETS.urlPass}@hooks.example/${SECRETS.urlPath}?sig=${SECRETS.urlQuery}`;
/** What a far side's client says when a delivery fails. */
const FAILURE = `POST ${ADDRESS} failed: Authorization: Bearer ${SECRETS.bearer}, secret=${SECRETS.signing}`;

/** Everything that an operator, a log or a peer gets to see of a hub, as text by its source. */
type Collected = Map<string, string>;

async function open() {
  const folder = makeTempFolder();
  const receiver = await startOtlpReceiver();
  const terminal = captureTerminal({});
  const logger = createLogger(terminal, { logLevel: "debug", logFormat: "json" });
  const spanFile = folder.at("hub.db.spans.jsonl");
  const log = await openFileSpanLog({ path: spanFile, logger });
  const sdk = startTelemetry({
    ...{ otlp: receiver.url, metricsPage: true, global: false, env: {}, logger },
  });
  const telemetry = createHubTelemetry({ ...sdk, log });
  const store = faulty(await openSqliteStore({ path: folder.at("hub.db"), logger }));
  const closedPort = "http://127.0.0.1:9";
  const hub = await openHub({
    ...{ store, logger, adapters: createDefaultAdapters() },
    limits: { auditedRefusalsPerMinute: 100, maxDeliveryAttempts: 2, redeliveryBaseMs: 1 },
    authenticators: [
      createNoAuth(),
      createApiKeyAuth({ keys: { ada: SECRETS.agentKey } }),
      createJwtAuth({
        ...{ issuer: "https://id.example", audience: "hub" },
        keys: { url: `${closedPort}/jwks?key=${SECRETS.jwksQuery}` },
      }),
      {
        scheme: "own",
        async validate(_passport, claim) {
          throw new Error(`upstream refused ${JSON.stringify(claim)} at ${ADDRESS}`);
        },
      },
      { scheme: "a2a", validate: async () => undefined },
    ],
    ...telemetry.hubOptions,
  });
  telemetry.watch(hub);
  const { metricsPage } = sdk;
  if (metricsPage === null) throw new Error("there is no page");
  const server = await serveWebSocket(hub, { logger, metricsPage });
  const close = async () => {
    await hub.close();
    await server.stop();
    telemetry.endSpans();
    await sdk.stop();
    await log.close();
  };
  const dispose = async () => {
    await receiver[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  };
  return {
    ...{ hub, server, store, terminal, receiver, metricsPage, spanFile, close },
    [Symbol.asyncDispose]: dispose,
  };
}

// Connectors do not exist yet. Remote proxies stand for them here: their deliveries succeed, fail and
// crash with the address in the error. The check of addresses, and the list that shows them masked,
// come with connectors; the operator's list of this test is that of the API keys.
it("F-153 no secret, and nothing of an address but its host, occurs in anything that a hub under failures shows", async () => {
  await using bench = await open();
  const { hub, server, store, terminal, receiver, metricsPage } = bench;
  const seen: Collected = new Map();
  const note = (source: string, value: unknown): void => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    seen.set(source, `${seen.get(source) ?? ""}${text}\n`);
  };
  const issued = await hub.keys.issue({ name: "root", role: "operator" });
  const agentKey = await hub.keys.issue({ name: "cleo" });
  const jwt = await new SignJWT({ sub: "ada", iss: "https://id.example", aud: "hub" })
    .setProtectedHeader({ alg: "HS256", kid: "k" })
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode("badger-signing-key-of-the-issuer-51"));
  const secrets = [...Object.values(SECRETS), issued.secret, agentKey.secret, jwt];

  // Agents that fail to authenticate, in every scheme, by registration, hello and authenticate.
  const frames: HubFrame[] = [];
  const connection = await createNodeLink(server.url).connect(
    {
      onFrame: (frame) => void frames.push(frame),
      onBadFrame: (error) => note("error answers", error.message),
      onClosed: () => undefined,
    },
    new AbortController().signal,
  );
  let requests = 0;
  const ask = async (op: string, params: Readonly<Record<string, unknown>>) => {
    requests += 1;
    const request_id = `r${requests}`;
    connection.send({ kind: "request", request_id, op, params });
    return until(() =>
      frames.find((frame) => frame.kind === "response" && frame.request_id === request_id),
    );
  };
  const claims: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ["api_key", { token: SECRETS.wrongKey }],
    ["api_key", { token: `${agentKey.secret}x` }],
    ["jwt", { token: jwt }],
    ["own", { token: SECRETS.claim, deep: [{ password: SECRETS.signing }] }],
    ["unheard-of", { token: SECRETS.claim }],
  ];
  for (const [scheme, claim] of claims) {
    const passport = { name: "ada", auth: { scheme, claim } };
    expect(await ask("register", { passport, resume: {} })).toMatchObject({ ok: false });
    expect(await ask("authenticate", { scheme, claim })).toMatchObject({ ok: false });
  }
  const right = { name: "ada", auth: { scheme: "api_key", claim: { token: SECRETS.agentKey } } };
  expect(await ask("register", { passport: right, resume: {} })).toMatchObject({ ok: true });
  const errors = () => frames.filter(({ kind }) => kind === "error").length;
  const before = errors();
  const hello = {
    ...({ kind: "hello", name: "ada", auth_scheme: "api_key" } as const),
    since_envelope_id: null,
  };
  connection.send({ ...hello, auth_claim: { token: SECRETS.wrongKey } });
  connection.send({ ...hello, auth_claim: SECRETS.wrongKey as never });
  await until(() => errors() >= before + 2);
  await ask("no_such_operation", { auth_claim: SECRETS.claim, token: SECRETS.agentKey });
  await ask("get_agent", { name_or_id: "ada" });
  for (const authorization of [`Bearer ${SECRETS.wrongKey}`, `Bearer ${agentKey.secret}`]) {
    const address = `http://127.0.0.1:${server.port}/metrics?token=${SECRETS.urlQuery}`;
    const answer = await fetch(address, { headers: { authorization } });
    expect([401, 403]).toContain(answer.status);
    note("error answers", await answer.text());
  }

  // Deliveries to a far side that succeed, fail and crash; turns that fail; a store that fails.
  const { join, open: openChannel, say } = createHubBench(hub);
  const [a, b] = [await join("desk"), await join("clerk")];
  hub.registerRemoteProxy({
    scheme: "a2a",
    async dispatch({ event_type, event_data, channel_id, envelope_id }, { agent_id }) {
      if (event_type === EV_CHANNEL_INVITE) {
        const ack = { event_type: EV_CHANNEL_INVITE_ACK, event_data: { channel_id } };
        await hub.post({
          ...{ ...ack, channel_id, sender_id: agent_id ?? "", causation_id: envelope_id },
        });
      }
      if (event_type === EV_TEXT && event_data["text"] !== "fine") throw new Error(FAILURE);
    },
    close: () => Promise.reject(new Error(FAILURE)),
  });
  const far = await hub.registerIdentity({
    passport: createPassport({ name: "far", kind: "remote_agent", auth: { scheme: "a2a" } }),
    resume: createResume(),
  });
  const farId = far.agent_id ?? "";
  const { channel_id } = await openChannel("conversation", a, [farId]);
  const texts: string[] = [];
  for (const text of ["fine", "fails", "fails again"]) {
    texts.push((await say(channel_id, a, text)).envelope_id);
  }
  const givenUp = () => hub.listDeadLetters();
  await until(async () => (await givenUp()).dead_letters.length === 2);
  const local = await openChannel("conversation", a, [b]);
  const { envelope_id } = await say(local.channel_id, a, "hello");
  await hub.reportTurnFailure({
    ...{ channel_id: local.channel_id, agent_id: b, envelope_id, error: FAILURE },
  });
  store.failNext("commit", 1, () => new Error(FAILURE));
  await expect(say(local.channel_id, a, "lost")).rejects.toThrow();
  await until(async () => (await say(local.channel_id, a, "kept").catch(() => null)) !== null);
  const client = createHubClient({ link: createNodeLink(server.url) });
  await client.register(
    createScriptedAgent("maker", () => {
      throw new Error(FAILURE);
    }),
  );
  const maker = hub.findAgentId("maker") ?? "";
  const asked = await openChannel("consulting", a, [maker]);
  await say(asked.channel_id, a, "make it");
  await until(async () =>
    (await hub.audit.readAll()).some(
      ({ kind, agent_id }) => kind === "turn_failed" && agent_id === maker,
    ),
  );
  await client.drain();

  for (const id of texts) note("ledger", hub.ledger(channel_id, id));
  note("dead letters", await givenUp());
  note("health", hub.health());
  note("health", await (await fetch(`http://127.0.0.1:${server.port}/healthz`)).text());
  note("metrics", await metricsPage.render());
  note("the operator's list", hub.keys.list());
  note("error answers", frames);
  await hub.closeChannel(channel_id);
  note("audit", await hub.audit.readAll());
  await bench.close();
  note("log", terminal.stderr);
  note("span log", readFileSync(bench.spanFile, "utf8"));
  note("traces", receiver.spans);

  for (const [source, marker] of [
    ...[["log", "an authenticator failed"] as const, ["log", "a turn has failed"] as const],
    ...[["audit", "hooks.example"] as const, ["ledger", "hooks.example"] as const],
    ...[["dead letters", "hooks.example"] as const, ["span log", "hooks.example"] as const],
    ...[["traces", "hooks.example"] as const, ["metrics", "colloquy_refusals_total"] as const],
    ...[["error answers", "auth_failed"] as const, ["health", '"status":"ok"'] as const],
    ...[["the operator's list", "cleo"] as const, ["audit", "refused"] as const],
  ]) {
    expect(seen.get(source), source).toContain(marker);
  }
  for (const [source, text] of seen) {
    for (const secret of secrets) expect(text.includes(secret), `${source}: ${secret}`).toBe(false);
  }
}, 30_000);
