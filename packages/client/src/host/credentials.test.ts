import { AuthError, NotFoundError } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { createClaimSource, offerClaims } from "./credentials.js";

const auth = { scheme: "api_key", claim: { key: "given" } };

describe("offered claims", () => {
  it("are the given one, once, when nobody supplies others", async () => {
    const offered: unknown[] = [];
    const offering = offerClaims(createClaimSource("ada", auth, undefined), async (claim) => {
      offered.push(claim);
      throw new AuthError("no");
    });
    await expect(offering).rejects.toThrow("no");
    expect(offered).toEqual([{ key: "given" }]);
  });

  it("are asked for anew until one is accepted", async () => {
    const tokens = ["stale", "fresh"];
    const names: string[] = [];
    const claims = createClaimSource("ada", auth, (name) => {
      names.push(name);
      return { key: tokens.shift() ?? "none" };
    });
    const accepted = await offerClaims(claims, async (claim) => {
      if (claim["key"] !== "fresh") throw new AuthError("expired");
      return claim;
    });
    expect(accepted).toEqual({ key: "fresh" });
    expect(names).toEqual(["ada", "ada"]);
  });

  it("end with the refusal when the supplier repeats itself", async () => {
    let attempts = 0;
    const offering = offerClaims(
      createClaimSource("ada", auth, () => ({ key: "x" })),
      async () => {
        attempts += 1;
        throw new AuthError("unknown key");
      },
    );
    await expect(offering).rejects.toThrow("unknown key");
    expect(attempts).toBe(1);
  });

  it("end at once with any other failure, and ask nobody for scheme none", async () => {
    const claims = createClaimSource("ada", { scheme: "none", claim: {} }, () => {
      throw new Error("asked");
    });
    await expect(
      offerClaims(claims, async () => {
        throw new NotFoundError("unknown name");
      }),
    ).rejects.toThrow("unknown name");
  });
});
