import { describe, expect, it } from "vitest";
import { publicPassport } from "./hide-claim.js";
import { createPassport, effectiveKind, type PassportInput, passportSchema } from "./passport.js";

describe("createPassport", () => {
  it("fills in every field", () => {
    expect(createPassport({ name: "alice" })).toEqual({
      name: "alice",
      owner: "",
      provider: null,
      model: null,
      cost: null,
      region: null,
      auth: { scheme: "none", issuer: null, audience: null, key_fingerprint: null, claim: {} },
      kind: null,
      hub_id: null,
      version: 1,
      agent_id: null,
      created_at: "",
    });
  });

  it("completes nested blocks", () => {
    const passport = createPassport({
      name: "a",
      cost: { input_per_mtok: 2 },
      auth: { scheme: "x" },
    });
    expect(passport.cost).toEqual({ input_per_mtok: 2, output_per_mtok: null, latency_tier: null });
    expect(passport.auth.claim).toEqual({});
  });

  it("N-009: a misspelt kind is an argument error", () => {
    const input = { name: "a", kind: "Agent" } as unknown as PassportInput;
    expect(() => createPassport(input)).toThrow(TypeError);
    expect(() => createPassport(input)).toThrow("kind must be one of");
  });

  it("refuses unknown fields", () => {
    const input = { name: "a", nickname: "b" } as PassportInput;
    expect(() => createPassport(input)).toThrow('Leave out "nickname".');
  });

  it("shares nothing between two passports", () => {
    const first = createPassport({ name: "a" });
    const second = createPassport({ name: "b" });
    expect(first.auth.claim).not.toBe(second.auth.claim);
  });
});

it("effectiveKind takes null for an agent", () => {
  expect(effectiveKind(createPassport({ name: "a" }))).toBe("agent");
  expect(effectiveKind(createPassport({ name: "a", kind: "human" }))).toBe("human");
});

it("N-200: a remote passport survives its JSON form", () => {
  const passport = createPassport({ name: "a", kind: "remote_agent", hub_id: "h" });
  const back = passportSchema.parse(JSON.parse(JSON.stringify(passport)));
  expect(back).toEqual(passport);
  expect(effectiveKind(back)).toBe("remote_agent");
});

it("publicPassport hides the claim and nothing else", () => {
  const passport = createPassport({
    name: "a",
    auth: { scheme: "api_key", claim: { token: "s" } },
  });
  const shown = publicPassport(passport);
  expect(JSON.stringify(shown)).not.toContain("token");
  expect(shown).toEqual({ ...passport, auth: { ...passport.auth, claim: {} } });
  expect(passport.auth.claim).toEqual({ token: "s" });
});
