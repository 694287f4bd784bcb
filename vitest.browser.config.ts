import { defaultClientConditions, defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

// As in vitest.config.ts: packages of this repository resolve to their sources.
const SOURCE = "@colloquy/source";
const SERVER = defaultServerConditions.filter((condition) => condition !== "module");

export default defineConfig({
  resolve: { conditions: [SOURCE, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [SOURCE, ...SERVER] } },
  test: {
    include: ["test/browser/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
