import { defaultClientConditions, defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

// As in vitest.config.ts: packages of this repository resolve to their sources.
const SOURCE = "@colloquy/source";
const SERVER = defaultServerConditions.filter((condition) => condition !== "module");

export default defineConfig({
  resolve: { conditions: [SOURCE, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [SOURCE, ...SERVER] } },
  test: {
    include: ["test/local-model/**/*.test.ts"],
    globalSetup: ["test/local-model/serve-model.ts"],
    pool: "forks",
    // The model answers one at a time.
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
