import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import {
  AccessDeniedError,
  InvalidInputError,
  isNetworkError,
  type Principal,
} from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { afterEach, describe, expect, it } from "vitest";
import type { OperatorAccess } from "../auth/operator-gate.js";
import { type HubOptions, openHub } from "../index.js";
import { authorizeRequest, requireOperatorHost } from "./operator-request.js";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A hub behind a server that answers with the operator, or with the code of the refusal. */
async function open(options: Partial<HubOptions> = {}) {
  const hub = await openHub({ store: createMemoryStore(), ...options });
  let access: OperatorAccess = "read";
  const server = createServer((incoming, response) => {
    authorizeRequest(hub, incoming, access).then(
      ({ name }: Principal) => response.end(name),
      (error: unknown) => response.end(isNetworkError(error) ? error.code : "fault"),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(
    () => hub.close(),
    () => new Promise((resolve) => server.close(resolve)),
  );
  const { port } = server.address() as AddressInfo;
  const ask = (headers: Record<string, string> = {}, wanted: OperatorAccess = "read") =>
    new Promise<string>((resolve, reject) => {
      access = wanted;
      request({ host: "127.0.0.1", port, headers, agent: false }, (response) => {
        let text = "";
        response.on("data", (part) => {
          text += part;
        });
        response.on("end", () => resolve(text));
      })
        .on("error", reject)
        .end();
    });
  const issue = async (name: string, role: "participant" | "read_operator" | "operator") => {
    const { secret, key } = await hub.keys.issue({ name, role });
    return { authorization: `Bearer ${secret}`, key_id: key.key_id };
  };
  return { hub, ask, issue };
}

describe("a request to the operators' surface", () => {
  it("F-154 by default needs an operator's token, on this machine too", async () => {
    const { ask, issue, hub } = await open();
    const agent = await issue("ada", "participant");
    const person = await issue("eve", "participant");
    const reader = await issue("watch", "read_operator");
    const writer = await issue("root", "operator");
    for (const access of ["read", "write"] as const) {
      expect(await ask({}, access)).toBe("auth_failed");
      expect(await ask({ authorization: "Bearer guess" }, access)).toBe("auth_failed");
      expect(await ask({ authorization: "Basic cm9vdDo=" }, access)).toBe("auth_failed");
      expect(await ask({ authorization: agent.authorization }, access)).toBe("access_denied");
      expect(await ask({ authorization: person.authorization }, access)).toBe("access_denied");
      expect(await ask({ authorization: writer.authorization }, access)).toBe("root");
    }
    expect(await ask({ authorization: reader.authorization })).toBe("watch");
    expect(await ask({ authorization: reader.authorization }, "write")).toBe("access_denied");
    await hub.keys.revoke(writer.key_id);
    expect(await ask({ authorization: writer.authorization })).toBe("auth_failed");
  });

  it("passes without a token where this machine is trusted, but from no page and through no proxy", async () => {
    const { ask } = await open({ operatorOnLoopback: true });
    expect(await ask({}, "write")).toBe("local");
    for (const headers of [
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
      { "x-forwarded-for": "10.0.0.1" },
      { host: "rebound.example" },
      { authorization: "Bearer guess" },
      { authorization: "" },
    ]) {
      expect(await ask(headers as Record<string, string>)).toBe("auth_failed");
    }
  });
});

describe("the address of the operators' surface", () => {
  it("F-154 is this machine's unless an operator has a credential", async () => {
    const { hub, issue } = await open();
    for (const host of ["127.0.0.1", "localhost", "::1"]) requireOperatorHost(hub, host);
    await issue("ada", "participant");
    for (const host of ["0.0.0.0", "::", "hub.example"]) {
      expect(() => requireOperatorHost(hub, host, "operator.host")).toThrow(InvalidInputError);
      expect(() => requireOperatorHost(hub, host, "operator.host")).toThrow(
        `operator.host: '${host}' is reachable from elsewhere`,
      );
    }
    const { key_id } = await issue("root", "operator");
    requireOperatorHost(hub, "0.0.0.0");
    await hub.keys.revoke(key_id);
    expect(() => requireOperatorHost(hub, "0.0.0.0")).toThrow(InvalidInputError);
  });
});

describe("the gate", () => {
  it("asks every scheme that knows operators", async () => {
    const scheme = {
      scheme: "badge",
      validate: () => Promise.resolve(),
      identify: async ({ token }: Readonly<Record<string, unknown>>) => {
        if (token !== "gold") throw new AccessDeniedError("no badge of ours");
        const principal = { name: "boss", role: "operator" as const, agents: [] };
        return { id: null, principal, expiresAt: null };
      },
    };
    const { ask, hub } = await open({ authenticators: [scheme] });
    expect(hub.operators.hasOperators).toBe(true);
    expect(await ask({ authorization: "bearer gold" })).toBe("boss");
  });
});
