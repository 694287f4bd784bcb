import { hash } from "node:crypto";
import { createPassport } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { createKeyAuth } from "./key-auth.js";

const auth = createKeyAuth({ alice: "open sesame", bob: `sha256:${hash("sha256", "hidden")}` });
const alice = createPassport({ name: "alice" });
const bob = createPassport({ name: "bob" });

describe("createKeyAuth", () => {
  it("takes the key itself, and the key behind a digest", async () => {
    expect(auth.scheme).toBe("api_key");
    await auth.validate(alice, { token: "open sesame" });
    await auth.validate(bob, { token: "hidden" });
  });

  it("refuses other keys, the digest instead of the key, and a claim without a token", async () => {
    await expect(auth.validate(alice, { token: "hidden" })).rejects.toThrow("mismatch");
    await expect(auth.validate(bob, { token: "open sesame" })).rejects.toThrow("mismatch");
    const digest = hash("sha256", "hidden");
    await expect(auth.validate(bob, { token: digest })).rejects.toThrow("mismatch");
    await expect(auth.validate(bob, { token: `sha256:${digest}` })).rejects.toThrow("mismatch");
    await expect(auth.validate(bob, {})).rejects.toThrow("token");
    await expect(auth.validate(bob, { token: "" })).rejects.toThrow("token");
  });

  it("refuses a name without a key", async () => {
    const eve = createPassport({ name: "eve" });
    await expect(auth.validate(eve, { token: "open sesame" })).rejects.toThrow("no api_key");
    const proto = createPassport({ name: "__proto__" });
    await expect(auth.validate(proto, { token: "x" })).rejects.toThrow("no api_key");
  });
});
