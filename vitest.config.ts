import { defaultClientConditions, defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

// Packages of this repository resolve to their sources, so no test runs against stale output.
const SOURCE = "@colloquy/source";
// Node knows no condition `module`, and what packages put behind it is for bundlers.
const SERVER = defaultServerConditions.filter((condition) => condition !== "module");

export default defineConfig({
  resolve: { conditions: [SOURCE, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [SOURCE, ...SERVER] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    exclude: [
      "**/node_modules/**",
      "**/dist/**",
      "test/bench/**",
      "test/interop/**",
      "test/local-model/**",
      "test/browser/**",
    ],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
  },
});
