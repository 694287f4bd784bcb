import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AuthError, createPassport, InvalidInputError } from "@colloquy/protocol";
import { createFakeClock } from "@colloquy/testkit";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openConnectionBench } from "../../../../test/edge/connection-bench.js";
import type { Authenticator } from "../auth/auth-registry.js";
import { createJwtAuth } from "./jwt-auth.js";
import type { JwtAuthOptions } from "./options.js";

const ISSUER = "https://id.example";
const HOUR_S = 3_600;

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
let pair: Pair;
let stranger: Pair;
let jwks: { keys: object[] };
beforeAll(async () => {
  pair = await generateKeyPair("ES256");
  stranger = await generateKeyPair("ES256");
  jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: "one", alg: "ES256" }] };
});

const clock = createFakeClock();
const nowS = () => Math.floor(clock.now() / 1_000);

interface Signing {
  readonly key?: Pair | Uint8Array;
  readonly alg?: string;
  readonly kid?: string;
}

/** A token that is right but for what is given. */
function sign(claims: JWTPayload = {}, { key = pair, alg = "ES256", kid = "one" }: Signing = {}) {
  const whole = { sub: "ada", iss: ISSUER, aud: "hub", exp: nowS() + HOUR_S, ...claims };
  const jwt = new SignJWT(whole).setProtectedHeader({ alg, kid });
  return jwt.sign(key instanceof Uint8Array ? key : key.privateKey);
}

function create(options: Partial<JwtAuthOptions> = {}): Authenticator {
  return createJwtAuth({
    issuer: ISSUER,
    audience: "hub",
    keys: { jwks },
    clock,
    ...options,
  } as JwtAuthOptions);
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AuthError);
  return (error as AuthError).message;
}

const ada = createPassport({ name: "ada" });

describe("createJwtAuth", () => {
  it("accepts a token of the issuer for this audience, until it ends", async () => {
    const token = await sign();
    expect(await create().validate(ada, { token })).toEqual({
      id: null,
      principal: { name: "ada", role: "participant", agents: [] },
      expiresAt: (nowS() + HOUR_S) * 1_000 + 30_000,
    });
    const bob = createPassport({ name: "bob" });
    expect(await refusal(create().validate(bob, { token }))).toBe("jwt mismatch for 'bob'");
  });

  it.each<[string, string, () => Promise<unknown>]>([
    ["another issuer", "claim 'iss'", () => sign({ iss: "https://other" })],
    ["another audience", "claim 'aud'", () => sign({ aud: "mail" })],
    ["no audience", "claim 'aud'", () => sign({ aud: undefined as never })],
    ["no end", "claim 'exp'", () => sign({ exp: undefined as never })],
    ["no name", "claim 'sub'", () => sign({ sub: undefined as never })],
    ["an end long past", "has expired", () => sign({ exp: nowS() - 31 })],
    ["a start to come", "claim 'nbf'", () => sign({ nbf: nowS() + 31 })],
    ["another's signature", "signature is wrong", () => sign({}, { key: stranger })],
    ["an unknown key", "none of the issuer's", () => sign({}, { kid: "two" })],
    [
      "a shared secret",
      "algorithm is not accepted",
      () => sign({}, { key: new Uint8Array(32), alg: "HS256" }),
    ],
    ["an odd role", "claim 'colloquy_role'", () => sign({ colloquy_role: "king" })],
    ["an operator's role", "operators are not accepted", () => sign({ colloquy_role: "operator" })],
    ["no form", "no signed JWT", () => Promise.resolve("a.b")],
    [
      "no signature",
      "algorithm is not accepted",
      () => Promise.resolve("eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ."),
    ],
    ["no text", "missing required string field 'token'", () => Promise.resolve(7)],
    ["a great length", "longer than 16384", () => Promise.resolve("x".repeat(16_385))],
  ])("refuses a token with %s, and does not repeat it", async (_what, words, make) => {
    const token = await make();
    const message = await refusal(create().validate(ada, { token }));
    expect(message).toContain(words);
    if (typeof token === "string") expect(message).not.toContain(token);
  });

  it("bears with clocks that differ a little, as far as it is told", async () => {
    const token = await sign({ exp: nowS() - 20 });
    await create().validate(ada, { token });
    expect(await refusal(create({ clockSkewMs: 0 }).validate(ada, { token }))).toContain("expired");
  });

  it("takes services and operators from claims, or from a mapping of one's own", async () => {
    const token = await sign({ sub: "crew", colloquy_role: "service", colloquy_agents: ["ad*"] });
    await create().validate(ada, { token });
    const root = await sign({ sub: "root", colloquy_role: "operator" });
    expect(create().identify).toBeUndefined();
    const identified = await create({ operators: true }).identify?.({ token: root });
    expect(identified?.principal).toEqual({ name: "root", role: "operator", agents: [] });
    expect(await refusal(create({ operators: true }).validate(ada, { token: root }))).toContain(
      "speaks for no agent",
    );
    const mapped = create({
      principalOf: ({ email }) => ({ name: String(email), role: "participant", agents: [] }),
    });
    await mapped.validate(createPassport({ name: "a@x" }), { token: await sign({ email: "a@x" }) });
    const named = create({ nameClaim: "agent" });
    await named.validate(ada, { token: await sign({ sub: "17", agent: "ada" }) });
  });

  it.each<[string, Partial<JwtAuthOptions>]>([
    ["issuer", { issuer: "" }],
    ["audience", { audience: [] }],
    ["algorithms", { algorithms: ["HS256"] }],
    ["algorithms", { algorithms: ["none"] }],
    ["clockSkewMs", { clockSkewMs: 300_001 }],
    ["keys.url", { keys: { url: "http://id.example/jwks" } }],
    ["keys.url", { keys: { url: "file:///etc/keys" } }],
  ])("wants a sensible %s", (field, options) => {
    expect(() => create(options)).toThrow(InvalidInputError);
    expect(() => create(options)).toThrow(`option ${field}`);
  });
});

describe("keys behind an address", () => {
  let fetches = 0;
  let answer: () => string = () => JSON.stringify(jwks);
  const server = createServer((_request, response) => {
    fetches += 1;
    response.setHeader("Content-Type", "application/json").end(answer());
  });
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it("are fetched once for many tokens, and not again for every unknown key", async () => {
    fetches = 0;
    const auth = create({ keys: { url } });
    const token = await sign();
    await Promise.all([1, 2, 3].map(() => auth.validate(ada, { token })));
    expect(fetches).toBe(1);
    const odd = await sign({}, { kid: "two" });
    for (let n = 0; n < 5; n += 1) await refusal(auth.validate(ada, { token: odd }));
    expect(fetches).toBe(1);
  });

  it("that are too large or no keys are refused as such", async () => {
    const token = await sign();
    for (const text of [`{"keys":[],"x":"${"y".repeat(300_000)}"}`, "no json"]) {
      answer = () => text;
      const message = await refusal(create({ keys: { url } }).validate(ada, { token }));
      expect(message).toContain("the issuer's keys cannot be had");
    }
  });
});

describe("a binding by token", () => {
  it("ends with the token, and goes on with a fresh one", async () => {
    const bench = await openConnectionBench({
      authenticators: [
        createJwtAuth({
          issuer: ISSUER,
          audience: "hub",
          keys: { jwks: jwks as never },
          clock,
          clockSkewMs: 0,
        }),
      ],
    });
    const token = await sign();
    const link = bench.connect({ loopback: false });
    const ahead = bench.clock.now() - clock.now();
    expect(Math.abs(ahead)).toBeLessThan(1_000);
    const id = await link.register("ada", { auth: { scheme: "jwt", claim: { token } } });
    const longer = await sign({ exp: nowS() + 2 * HOUR_S });
    await link.call("renew", { agent_id: id, claim: { token: longer } });
    bench.clock.advance(HOUR_S * 1_000 + 1_000);
    expect(bench.context.delivery.connectionOf(id)).not.toBeNull();
    bench.clock.advance(HOUR_S * 1_000);
    expect(bench.context.delivery.connectionOf(id)).toBeNull();
    expect(link.peer.closed).toEqual({ code: 4010, reason: "the credential has expired" });
    const shown = JSON.stringify([
      link.peer.frames,
      bench.logger.lines,
      await bench.hub.audit.readAll(),
    ]);
    expect(shown).not.toContain(token);
  });
});
