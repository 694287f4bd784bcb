import { describe, expect, it } from "vitest";
import { openConnectionBench } from "../../../../../test/edge/connection-bench.js";

type Bench = Awaited<ReturnType<typeof openConnectionBench>>;

const OPERATIONS: readonly (readonly [op: string, params: object, access: "read" | "write"])[] = [
  ["list_keys", {}, "read"],
  ["issue_key", { name: "zoe" }, "write"],
  ["rotate_key", { key_id: "x" }, "write"],
  ["revoke_key", { key_id: "x" }, "write"],
];

/** Connections of everybody who may ask: nobody, an agent, a person, one who may look, one who may act. */
async function open() {
  const bench = await openConnectionBench();
  const key = async (name: string, role: "participant" | "read_operator" | "operator") =>
    (await bench.hub.keys.issue({ name, role })).secret;
  const agent = bench.connect();
  await agent.register("ada", {
    auth: { scheme: "api_key", claim: { token: await key("ada", "participant") } },
  });
  const person = bench.connect();
  await person.register("eve", {
    kind: "human",
    auth: { scheme: "api_key", claim: { token: await key("eve", "participant") } },
  });
  const reader = await operator(bench, await key("watch", "read_operator"));
  const writer = await operator(bench, await key("root", "operator"));
  return { bench, nobody: bench.connect(), agent, person, reader, writer, key };
}

async function operator(bench: Bench, token: string) {
  const link = bench.connect({ loopback: false });
  await link.call("authenticate", { scheme: "api_key", claim: { token } });
  return link;
}

describe("operations of operators", () => {
  it.each(OPERATIONS)(
    "F-154 %s is refused without a credential, with an agent's and with a person's",
    async (op, params) => {
      const { nobody, agent, person, bench } = await open();
      const before = bench.hub.keys.list();
      for (const link of [nobody, agent, person]) {
        const answer = await link.request(op, params);
        expect(answer).toMatchObject({ ok: false, error_code: "auth_failed" });
        expect(answer.error_message).toContain("is for operators");
      }
      expect(bench.hub.keys.list()).toEqual(before);
      const refused = await bench.audited("refused");
      expect(refused.filter((record) => record["op"] === op)).toHaveLength(3);
      expect(refused.at(-1)).toMatchObject({ gate: "operator", code: "auth_failed" });
    },
  );

  it.each(OPERATIONS)(
    "F-154 %s works for an operator; who may only look changes nothing",
    async (op, params, access) => {
      const { reader, writer } = await open();
      const read = await reader.request(op, params);
      if (access === "write")
        expect(read).toMatchObject({ ok: false, error_code: "access_denied" });
      else expect(read.ok).toBe(true);
      const written = await writer.request(op, params);
      // A key that does not exist is past the gate.
      if (!written.ok) expect(written.error_code).toBe("not_found");
      else expect(written.ok).toBe(true);
    },
  );

  it("an agent's own credential makes no operator, on any machine", async () => {
    const { bench, key } = await open();
    const token = await key("bob", "participant");
    const link = bench.connect();
    const answer = await link.request("authenticate", { scheme: "api_key", claim: { token } });
    expect(answer).toMatchObject({ ok: false, error_code: "access_denied" });
    for (const claim of [{}, { token: "guess" }]) {
      const refused = await link.request("authenticate", { scheme: "api_key", claim });
      expect(refused).toMatchObject({ ok: false, error_code: "auth_failed" });
    }
    const none = await link.request("authenticate", { scheme: "none" });
    expect(none).toMatchObject({ ok: false, error_code: "auth_failed" });
    expect(await link.request("list_keys")).toMatchObject({ ok: false });
  });

  it("an operator takes no part: it reads no channel and speaks for nobody", async () => {
    const { writer, bench } = await open();
    bench.acceptInvitations();
    const a = await bench.join("a");
    const b = await bench.join("b");
    const channel_id = await bench.open("conversation", a.id, b.id);
    expect(await writer.request("read_page", { channel_id })).toMatchObject({ ok: false });
    expect(await writer.request("pending_turns_for", { agent_id: a.id })).toMatchObject({
      ok: false,
    });
  });

  it("a bare client has none of them", async () => {
    const { bench, key } = await open();
    const link = bench.connect({ profile: "ag2" });
    const claim = { token: await key("root2", "operator") };
    const answer = await link.request("authenticate", { scheme: "api_key", claim });
    expect(answer).toMatchObject({ ok: false, error_code: "protocol_error" });
  });

  it("an operator's connection needs no agent, and ends with its key", async () => {
    const { bench, writer } = await open();
    bench.clock.advance(60_000);
    expect(writer.peer.closed).toBeNull();
    const root = bench.hub.keys.list("root")[0];
    await bench.hub.keys.revoke(root?.key_id ?? "");
    expect(writer.peer.closed).toEqual({ code: 4010, reason: "the credential has been revoked" });
  });

  it("keys are managed over the wire, and each change says who made it", async () => {
    const { writer, reader, bench } = await open();
    const issued = (await writer.call("issue_key", { name: "zoe", ttl_seconds: 60 })) as {
      secret: string;
      key: { key_id: string };
    };
    const { key_id } = issued.key;
    await bench
      .connect()
      .register("zoe", { auth: { scheme: "api_key", claim: { token: issued.secret } } });
    const rotated = await writer.call("rotate_key", { key_id, overlap_seconds: 10 });
    expect(rotated).toMatchObject({ key: { name: "zoe", replaces: key_id } });
    expect(await writer.call("revoke_key", { key_id })).toMatchObject({ status: "revoked" });
    const listed = await reader.call("list_keys", { name: "zoe" });
    expect(listed).toHaveLength(2);
    expect(JSON.stringify(listed)).not.toContain(issued.secret.slice(-43));
    for (const kind of ["key_issued", "key_rotated", "key_revoked"]) {
      expect((await bench.audited(kind)).at(-1)).toMatchObject({ name: "zoe", by: "root" });
    }
  });
});
