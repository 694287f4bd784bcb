import { AuthError, createPassport } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { createApiKeyAuth } from "./api-key-auth.js";
import { createAuthRegistry } from "./create-auth-registry.js";
import { createNoAuth } from "./no-auth.js";

const ada = createPassport({ name: "ada" });
const bob = createPassport({ name: "bob" });

/** The error of a refused claim; fails the test when it is accepted. */
async function refusal(validation: Promise<unknown>): Promise<Error> {
  const error: unknown = await validation.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AuthError);
  return error as AuthError;
}

describe("createApiKeyAuth", () => {
  const auth = createApiKeyAuth({ keys: { ada: "s3cret" } });

  it("N-187 accepts the key of the passport's name", async () => {
    await expect(auth.validate(ada, { token: "s3cret" })).resolves.toBeUndefined();
  });

  it("N-188 refuses another key, and does not repeat either", async () => {
    for (const token of ["guess", "s3cre", "s3cret ", "S3CRET"]) {
      const { message } = await refusal(auth.validate(ada, { token }));
      expect(message).toContain("api_key mismatch for 'ada'");
      expect(message).not.toMatch(/guess|s3cre/i);
    }
  });

  it("N-189 refuses a name without a key", async () => {
    const { message } = await refusal(auth.validate(bob, { token: "s3cret" }));
    expect(message).toContain("no api_key registered for 'bob'");
    const proto = createPassport({ name: "toString" });
    expect((await refusal(auth.validate(proto, { token: "x" }))).message).toContain("no api_key");
  });

  it("N-190 refuses a claim without a token", async () => {
    for (const claim of [{}, { token: "" }, { token: 7 }, { token: null }]) {
      const { message } = await refusal(auth.validate(ada, claim));
      expect(message).toContain("missing required string field 'token'");
    }
  });

  it("N-191 asks an asynchronous resolver once per attempt, by name", async () => {
    const asked: string[] = [];
    const resolving = createApiKeyAuth({
      resolver: async (name) => {
        asked.push(name);
        return name === "ada" ? "s3cret" : null;
      },
    });
    await resolving.validate(ada, { token: "s3cret" });
    const { message } = await refusal(resolving.validate(bob, { token: "s3cret" }));
    expect(message).toContain("no api_key registered");
    expect(asked).toEqual(["ada", "bob"]);
  });

  it("prefers a static key to the resolver, and refuses when the resolver fails", async () => {
    const cause = new Error("vault at https://vault/s3cret is down");
    const resolving = createApiKeyAuth({
      keys: { ada: "s3cret" },
      resolver: () => Promise.reject(cause),
    });
    await resolving.validate(ada, { token: "s3cret" });
    const error = await refusal(resolving.validate(bob, { token: "x" }));
    expect(error.message).not.toContain("vault");
    expect(error.cause).toBe(cause);
  });

  it("takes an empty key for none", async () => {
    const open = createApiKeyAuth({ keys: { ada: "" } });
    expect((await refusal(open.validate(ada, { token: "x" }))).message).toContain("no api_key");
  });
});

describe("createAuthRegistry", () => {
  it("finds authenticators by scheme and refuses unknown ones", async () => {
    const none = createNoAuth();
    const registry = createAuthRegistry([none, createApiKeyAuth({})]);
    expect(registry.schemes).toEqual(["none", "api_key"]);
    expect(registry.get("none")).toBe(none);
    await expect(none.validate(ada, { whatever: 1 })).resolves.toBeUndefined();
    expect(() => registry.get("odd")).toThrow(new AuthError("unknown auth scheme 'odd'"));
  });

  it("refuses a scheme that is listed twice", () => {
    expect(() => createAuthRegistry([createNoAuth(), createNoAuth()])).toThrow(TypeError);
  });
});
