import { join } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { ROOT } from "./source-files.js";

/** Minified bytes of the client's root entry with all it pulls in: what it has now, and some room. */
const MAX_BYTES = 280_000;

it("bundles the client's root entry for a browser without any Node built-in", async () => {
  // For this platform esbuild refuses every import of a Node built-in.
  const result = await build({
    entryPoints: [join(ROOT, "packages/client/src/index.ts")],
    bundle: true,
    platform: "browser",
    format: "esm",
    target: "es2022",
    minify: true,
    conditions: ["@colloquy/source"],
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const inputs = Object.keys(result.metafile.inputs);
  expect(inputs.filter((path) => /node_modules\/(ws|better-sqlite3|pino)\//.test(path))).toEqual(
    [],
  );
  const bytes = result.outputFiles[0]?.contents.byteLength ?? Number.POSITIVE_INFINITY;
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
});

it("bundles the client's live entry for a browser, with little beside the root entry", async () => {
  const bundle = async (...entries: string[]) => {
    const result = await build({
      stdin: {
        contents: entries.map((entry) => `export * from "./${entry}.js";`).join("\n"),
        resolveDir: join(ROOT, "packages/client/src"),
      },
      bundle: true,
      platform: "browser",
      format: "esm",
      target: "es2022",
      minify: true,
      conditions: ["@colloquy/source"],
      write: false,
      logLevel: "silent",
    });
    return result.outputFiles[0]?.contents.byteLength ?? Number.POSITIVE_INFINITY;
  };
  const [root, both] = await Promise.all([bundle("index"), bundle("index", "live/index")]);
  expect(both - root).toBeLessThanOrEqual(8_000);
});

it.each(["ai-sdk", "testing"])(
  "bundles the client's %s entry for a browser without any Node built-in",
  async (entry) => {
    const result = await build({
      entryPoints: [join(ROOT, `packages/client/src/${entry}/index.ts`)],
      bundle: true,
      platform: "browser",
      format: "esm",
      target: "es2022",
      conditions: ["@colloquy/source"],
      write: false,
      metafile: true,
      logLevel: "silent",
    });
    const inputs = Object.keys(result.metafile.inputs);
    expect(inputs.some((path) => path.includes("node_modules/ai/"))).toBe(true);
    expect(inputs.filter((path) => path.includes("testing-node"))).toEqual([]);
  },
);

it("keeps the AI SDK out of the client's root entry", async () => {
  const result = await build({
    entryPoints: [join(ROOT, "packages/client/src/index.ts")],
    bundle: true,
    platform: "browser",
    format: "esm",
    conditions: ["@colloquy/source"],
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const inputs = Object.keys(result.metafile.inputs);
  expect(inputs.filter((path) => /node_modules\/(ai|@ai-sdk)\//.test(path))).toEqual([]);
});
