import { openHub } from "@colloquy/hub";
import { createPassport, createResume, InvalidInputError, type Store } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { createFakeClock, createFakeIds, settle, until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { openConnectionBench, textOf } from "../edge/connection-bench.js";

const HANDLE = /^[A-Za-z0-9_-]{1,64}$/;

/** A memory store that outlives its hub. */
function keptStore(): Store {
  return { ...createMemoryStore(), close: async () => undefined };
}

async function open(store: Store = keptStore()) {
  const hub = await openHub({ store, clock: createFakeClock(), ids: createFakeIds() });
  const register = async (name: string) => {
    const passport = createPassport({ name });
    return (await hub.registerIdentity({ passport, resume: createResume() })).agent_id ?? "";
  };
  return { hub, store, register };
}

describe("names and model providers", () => {
  it("F-005 names that no provider takes are accepted with a handle of their own, or refused with the rule", async () => {
    const { hub, register } = await open();
    const names = ["Order Desk", "naïve-agent", "Order_Desk", "plain-1"];
    const ids: string[] = [];
    for (const name of names) ids.push(await register(name));
    expect((await hub.listAgents()).map(({ name }) => name)).toEqual(names);
    const handles = ids.map((id) => hub.handleFor(id) ?? "");
    for (const handle of handles) expect(handle).toMatch(HANDLE);
    expect(new Set(handles).size).toBe(names.length);
    expect(handles.slice(2)).toEqual(["Order_Desk", "plain-1"]);
    for (const name of ["", "x".repeat(300)]) {
      const refusal: unknown = await register(name).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(InvalidInputError);
      expect(refusal).toMatchObject({ message: expect.stringContaining("A name has 1 to 64") });
    }
    expect(hub.handleFor("nobody")).toBeNull();
  });

  it("F-005 over a connection of either profile too, where the name stays byte for byte", async () => {
    for (const profile of ["ag2", "colloquy.v1"] as const) {
      const bench = await openConnectionBench();
      const link = bench.connect({ profile });
      const id = await link.register("naïve-agent");
      expect(await link.call("get_agent", { name_or_id: id })).toMatchObject({
        name: "naïve-agent",
      });
      const passport = createPassport({ name: "x".repeat(300) });
      const answer = await link.request("register", { passport, resume: createResume() });
      expect(answer.error_message).toContain("A name has 1 to 64 characters");
      const handles = await bench.connect().call("handles_for", { agent_ids: [id, "nobody"] });
      expect(handles).toEqual({ [id]: bench.hub.handleFor(id) });
    }
  });

  it("F-005 two agents never share a handle, also after the first is gone and the hub was restarted", async () => {
    const { hub, store, register } = await open();
    const first = await register("Order Desk");
    const wanted = hub.handleFor(first) ?? "";
    const second = await register(wanted);
    const own = hub.handleFor(second) ?? "";
    expect(own).not.toBe(wanted);
    expect(own).toMatch(HANDLE);
    await hub.unregister(first);
    await hub.close();
    const again = await open(store);
    expect(again.hub.handleFor(second)).toBe(own);
    const third = await again.register("Order Desk");
    expect(again.hub.handleFor(third)).toBe(wanted);
    await again.hub.unregister(second);
    expect(await again.store.listRecords("meta")).toEqual([]);
  });

  it("F-005 several registrations at one time get handles apart", async () => {
    const { hub, register } = await open();
    const handle = "Order_Desk-11111111";
    const ids = await Promise.all(["Order Desk", handle, "ORDER  DESK 2"].map(register));
    expect(new Set(ids.map((id) => hub.handleFor(id))).size).toBe(ids.length);
  });
});

describe("names that look alike", () => {
  it("are refused where one of them is registered, and where alphabets are mixed", async () => {
    const { hub, register } = await open();
    for (const name of ["scope", "AI", "node-1", "modern"]) await register(name);
    for (const name of ["ѕсоре", "Al", "node-l", "modem", "SCOPE"]) {
      await expect(register(name), name).rejects.toThrow("which readers could confuse with it");
    }
    await expect(register("p\u0430ypal")).rejects.toThrow("mixes alphabets");
    await expect(register("Zoe\u0308")).rejects.toThrow("Unicode form NFC");
    expect(await hub.listAgents()).toHaveLength(4);
  });
});

describe("credentials of agents", () => {
  it("F-153 occur in no answer, notify, log line, audit record or health figure, whatever happens to them", async () => {
    const bench = await openConnectionBench();
    bench.acceptInvitations();
    const { secret, key } = await bench.hub.keys.issue({ name: "ada" });
    const operator = await bench.hub.keys.issue({ name: "root", role: "operator" });
    const secrets = [
      secret,
      operator.secret,
      "wrong-wrong-wrong",
      "cq_".padEnd(80, "f"),
      "nested-secret",
    ];
    const auth = { scheme: "api_key", claim: { token: secret, more: { deep: "nested-secret" } } };
    const a = bench.connect({ profile: "ag2" });
    const ada = await a.register("ada", { auth });
    const b = await bench.join("bob");
    const watcher = bench.connect();
    for (const token of secrets) {
      await watcher.hello("ada", { auth_scheme: "api_key", auth_claim: { token } });
      await watcher.hello("nobody", { auth_scheme: "api_key", auth_claim: { token } });
      watcher.send({ kind: "hello", name: "ada", auth_claim: token });
      watcher.send({ kind: "hello", name: 7, auth_claim: { token } });
      await watcher.request("authenticate", { scheme: "api_key", claim: { token } });
      await watcher.request("renew", { agent_id: ada, claim: { token } });
      await watcher.request("register", {
        passport: createPassport({ name: "ada", auth: { scheme: "api_key", claim: { token } } }),
        resume: createResume(),
      });
      await watcher.request("register", { passport: { name: "x", auth: { claim: token } } });
    }
    const channel = await bench.open("conversation", b.id, ada);
    await b.call("post", textOf(channel, b.id));
    // The right key has taken Ada over from the first link, which is told so and closed.
    await until(() => a.peer.closed !== null);
    for (const link of [b, watcher]) {
      await link.request("get_agent", { name_or_id: "ada" });
      await link.request("list_agents");
      await link.request("get_channel", { channel_id: channel });
    }
    await bench.hub.keys.rotate(key.key_id).then(({ secret: next }) => secrets.push(next));
    await bench.hub.keys.revoke(key.key_id);
    await settle();
    const shown = JSON.stringify([
      [a, b, watcher].map(({ peer }) => [peer.steps, peer.closed]),
      bench.logger.lines,
      await bench.hub.audit.readAll(),
      [bench.hub.health(), bench.hub.keys.list(), await bench.hub.listAgents({ limit: null })],
    ]);
    expect(shown).toContain("api_key mismatch");
    for (const text of secrets) expect(shown).not.toContain(text);
  });
});
