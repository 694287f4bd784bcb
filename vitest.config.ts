import { defaultClientConditions, defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

// Packages of this repository resolve to their sources, so no test runs against stale output.
const SOURCE = "@colloquy/source";

export default defineConfig({
  resolve: { conditions: [SOURCE, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [SOURCE, ...defaultServerConditions] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts"],
    exclude: [
      "**/node_modules/**",
      "**/dist/**",
      "test/bench/**",
      "test/interop/**",
      "test/browser/**",
    ],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
  },
});
