import { describe, expect, it } from "vitest";
import { SERVE_SETTINGS } from "./serve-settings.js";

const find = (path: string) => SERVE_SETTINGS.find((setting) => setting.path === path);

describe("listSettings", () => {
  it("names a setting in file, environment and flags", () => {
    expect(find("limits.deliveryWindow")).toMatchObject({
      variable: "COLLOQUY_LIMITS_DELIVERY_WINDOW",
      flag: "--limits-delivery-window",
      kind: "integer",
      default: 1024,
      unit: "envelopes",
      expected: "a whole number from 1 up",
    });
    expect(find("port")).toMatchObject({ expected: "a whole number from 0 to 65535" });
    expect(find("durability")).toMatchObject({ kind: "text", expected: "one of sync, os" });
    expect(find("sockets.allowedOrigins")).toMatchObject({ kind: "list", default: [] });
  });

  it("gives secrets no flag", () => {
    expect(find("apiKeys")).toMatchObject({ kind: "object", secret: true, flag: null });
  });

  it("gives every setting a sentence and a default, and every number a unit", () => {
    expect(SERVE_SETTINGS.length).toBeGreaterThan(30);
    for (const setting of SERVE_SETTINGS) {
      expect(setting.about, setting.path).toMatch(/^[A-Z].*\.$/);
      expect(setting.default, setting.path).toBeDefined();
      if (setting.kind === "integer") expect(setting.unit, setting.path).not.toBeNull();
    }
  });

  it("names no setting twice", () => {
    for (const key of ["path", "variable"] as const) {
      expect(new Set(SERVE_SETTINGS.map((setting) => setting[key])).size).toBe(
        SERVE_SETTINGS.length,
      );
    }
  });
});
