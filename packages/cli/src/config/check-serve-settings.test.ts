import { describe, expect, it } from "vitest";
import { checkServeSettings, isLoopback } from "./check-serve-settings.js";
import { loadServeSettings } from "./load-serve-settings.js";

async function check(flags: Record<string, string | true>, env: Record<string, string> = {}) {
  checkServeSettings(await loadServeSettings({ flags: new Map(Object.entries(flags)), env }));
}

const KEYS = { COLLOQUY_API_KEYS: '{"alice": "k"}' };

describe("checkServeSettings", () => {
  it("listens on this machine by default and refuses more without credentials (F-154)", async () => {
    await check({});
    for (const host of ["0.0.0.0", "::", "192.168.1.7", "hub.example"]) {
      const refused = check({ "--host": host });
      await expect(refused).rejects.toThrow(`setting host (from flag --host) is ${host}`);
      await expect(refused).rejects.toThrow("setting auth (its default) is none");
      await expect(refused).rejects.toMatchObject({
        exitCode: 2,
        remedy: expect.stringContaining("allowUnauthenticated"),
      });
      await check({ "--host": host, "--auth": "api_key" }, KEYS);
      await check({ "--host": host, "--allow-unauthenticated": true });
    }
  });

  it("refuses keys without api_key; whether api_key has keys the data file tells", async () => {
    await check({ "--auth": "api_key" });
    await expect(check({}, KEYS)).rejects.toThrow("asks for no key");
  });
});

describe("isLoopback", () => {
  it("knows the names of this machine", () => {
    for (const host of ["127.0.0.1", "127.1.2.3", "localhost", "LOCALHOST", "::1", "[::1]"]) {
      expect(isLoopback(host), host).toBe(true);
    }
    for (const host of [
      "0.0.0.0",
      "::",
      "10.0.0.1",
      "127.example",
      "localhost.example",
      "1127.0.0.1",
    ]) {
      expect(isLoopback(host), host).toBe(false);
    }
  });
});
