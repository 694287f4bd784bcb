import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseHandle, providerHandle } from "./provider-handle.js";

describe("providerHandle", () => {
  it("keeps a name that fits", () => {
    expect(providerHandle("alice_B-2")).toBe("alice_B-2");
  });

  it("keeps what is readable of any other", () => {
    expect(providerHandle("Zoë B.")).toMatch(/^Zoe_B-[0-9a-f]{8}$/);
    expect(providerHandle("李雷")).toMatch(/^agent-[0-9a-f]{8}$/);
  });

  it("tells apart names that look alike once cut", () => {
    expect(new Set(["a b", "a_b", "a.b", "a  b", "李雷", "韩梅"].map(providerHandle)).size).toBe(6);
  });

  it("always fits", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (name) => {
        expect(providerHandle(name)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      }),
    );
  });
});

describe("chooseHandle", () => {
  const id = "18c2f0aa".repeat(4);

  it("is that of the name where it is free", () => {
    expect(chooseHandle("Order Desk", id, () => false)).toBe(providerHandle("Order Desk"));
  });

  it("never gives a taken one, and always one that fits", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), fc.boolean(), (name, greedy) => {
        const plain = providerHandle(name);
        const isTaken = (handle: string): boolean => handle === plain || (greedy && handle !== id);
        const handle = chooseHandle(name, id, isTaken);
        expect(isTaken(handle)).toBe(false);
        expect(handle).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      }),
    );
  });
});
