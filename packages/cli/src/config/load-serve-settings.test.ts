import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CliError } from "../errors/cli-error.js";
import { loadServeSettings, type ServeSettingPlaces } from "./load-serve-settings.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "colloquy-config-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(content: unknown): string {
  const path = join(folder, "hub.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const load = (places: Partial<ServeSettingPlaces>) =>
  loadServeSettings({ flags: new Map(), env: {}, ...places });

async function failure(places: Partial<ServeSettingPlaces>): Promise<CliError> {
  const error = await load(places).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CliError);
  expect((error as CliError).exitCode).toBe(2);
  return error as CliError;
}

describe("loadServeSettings", () => {
  it("takes flags over environment over file over defaults, and knows where from", async () => {
    const configFile = file({ port: 1, host: "localhost", limits: { deliveryWindow: 5 } });
    const { values, sourceOf } = await load({
      configFile,
      env: { COLLOQUY_PORT: "2", COLLOQUY_LOG_LEVEL: "warn", UNRELATED: "x" },
      flags: new Map([["--port", "3"]]),
    });
    expect(values).toMatchObject({
      port: 3,
      logLevel: "warn",
      host: "localhost",
      durability: "sync",
    });
    expect(values.limits).toMatchObject({ deliveryWindow: 5, snapshotEvery: 100 });
    expect(sourceOf("port")).toEqual({ kind: "flag", name: "--port" });
    expect(sourceOf("logLevel")).toEqual({ kind: "variable", name: "COLLOQUY_LOG_LEVEL" });
    expect(sourceOf("host")).toEqual({ kind: "file", name: configFile });
    expect(sourceOf("durability")).toEqual({ kind: "default" });
  });

  it("finds the config file through the environment, and --config goes first", async () => {
    const configFile = file({ port: 7 });
    expect((await load({ env: { COLLOQUY_CONFIG: configFile } })).values.port).toBe(7);
    const { message } = await failure({ configFile: join(folder, "none.json") });
    expect(message).toContain("none.json cannot be read (ENOENT)");
  });

  it("reads booleans, lists and objects as text", async () => {
    const { values } = await load({
      env: {
        COLLOQUY_API_KEYS: '{"alice": "k1"}',
        COLLOQUY_SOCKETS_ALLOWED_ORIGINS: "https://a.example, https://b.example",
      },
      flags: new Map<string, string | true>([["--allow-unauthenticated", true]]),
    });
    expect(values.allowUnauthenticated).toBe(true);
    expect(values.apiKeys).toEqual({ alice: "k1" });
    expect(values.sockets.allowedOrigins).toEqual(["https://a.example", "https://b.example"]);
  });

  it("takes an empty variable as absent", async () => {
    expect((await load({ env: { COLLOQUY_PORT: "" } })).values.port).toBe(7420);
  });

  it.each([
    [{ COLLOQUY_PORT: "many" }, "setting port (from environment variable COLLOQUY_PORT)", '"many"'],
    [{ COLLOQUY_PORT: "70000" }, "COLLOQUY_PORT", "70000"],
    [{ COLLOQUY_ALLOW_UNAUTHENTICATED: "yes" }, "allowUnauthenticated", '"yes"'],
    [{ COLLOQUY_DURABILITY: "maybe" }, "durability", '"maybe"'],
  ])(
    "refuses a wrong value and names setting, source and remedy: %j",
    async (env, place, value) => {
      const { message, remedy } = await failure({ env: env as Record<string, string> });
      expect(message).toContain(place);
      expect(message).toContain(`received ${value}`);
      expect(remedy).toMatch(
        /^Give (a whole number from 0 to 65535|true or false|one of sync, os)/,
      );
      expect(remedy).toContain("the default is");
    },
  );

  it("refuses wrong values in a file, by kind where they are no simple text", async () => {
    const { message } = await failure({ configFile: file({ limits: { snapshotEvery: [1] } }) });
    expect(message).toMatch(/^setting limits\.snapshotEvery \(from file .*hub\.json\)/);
    expect(message).toContain("received array");
    const group = await failure({ configFile: file({ limits: 5 }) });
    expect(group.message).toContain("setting limits");
  });

  it("refuses an unknown setting and suggests the nearest", async () => {
    const inFile = await failure({ configFile: file({ limits: { delivryWindow: 5 } }) });
    expect(inFile.message).toContain("setting limits.delivryWindow");
    expect(inFile.remedy).toContain("Did you mean limits.deliveryWindow?");
    const inEnv = await failure({ env: { COLLOQUY_DURABILTY: "os" } });
    expect(inEnv.message).toContain("environment variable COLLOQUY_DURABILTY");
    expect(inEnv.remedy).toContain("Did you mean COLLOQUY_DURABILITY?");
    const strange = await failure({ configFile: file({ zzzzzzzz: 1 }) });
    expect(strange.remedy).toContain("--print-config");
  });

  it("refuses a file that is no JSON object, without repeating it", async () => {
    const broken = await failure({ configFile: file('{"apiKeys": {"a": "s3cret" ') });
    expect(broken.message).toContain("hub.json cannot be read");
    expect(broken.message).not.toContain("s3cret");
    expect((await failure({ configFile: file([1]) })).message).toContain("no JSON object");
  });

  it("never shows a secret in an error", async () => {
    const { message, remedy } = await failure({
      configFile: file({ apiKeys: { alice: "sha256:s3cret" } }),
    });
    expect(message).toContain("setting apiKeys");
    expect(`${message}${remedy}`).not.toContain("s3cret");
  });
});
