/** What one package of the house may import and must export. The topology test holds it. */
export interface Room {
  /** Packages and drivers that shipped source may import, in the order of ARCHITECTURE.md. */
  readonly mayImport: readonly string[];
  /** Imports that only these paths below `src` may use. */
  readonly onlyIn?: Readonly<Record<string, readonly string[]>>;
  /** Subpath of `exports` → source file below `src`, without its ending. */
  readonly entries: Readonly<Record<string, string>>;
  /** The package implements a port and must prove it with a conformance test. */
  readonly implementsPort?: true;
  /** Runs in browsers: no Node built-ins outside the paths named here. */
  readonly browserSafe?: { readonly except: readonly string[] };
  /** Takes time and randomness through ports, outside the paths named here. */
  readonly deterministic?: { readonly except: readonly string[] };
}

const NOWHERE_ELSE = { except: [] } as const;

export const HOUSE: Readonly<Record<string, Room>> = {
  protocol: {
    mayImport: ["zod", "nanoid"],
    entries: { ".": "index" },
    browserSafe: NOWHERE_ELSE,
  },
  views: {
    mayImport: ["@colloquy/protocol", "zod"],
    entries: { ".": "index" },
    implementsPort: true,
    browserSafe: NOWHERE_ELSE,
    deterministic: NOWHERE_ELSE,
  },
  adapters: {
    mayImport: ["@colloquy/protocol", "immer", "zod"],
    entries: { ".": "index" },
    implementsPort: true,
    browserSafe: NOWHERE_ELSE,
    deterministic: NOWHERE_ELSE,
  },
  hub: {
    mayImport: ["@colloquy/protocol", "jose", "ws", "zod"],
    onlyIn: { jose: ["jwt/"], ws: ["ws/"] },
    entries: { ".": "index", "./jwt": "jwt/index", "./ws": "ws/index" },
    deterministic: { except: ["ws/"] },
  },
  "storage-memory": {
    mayImport: ["@colloquy/protocol"],
    entries: { ".": "index" },
    implementsPort: true,
  },
  "storage-sqlite": {
    mayImport: ["@colloquy/protocol", "better-sqlite3"],
    entries: { ".": "index" },
    implementsPort: true,
  },
  client: {
    mayImport: [
      "@colloquy/protocol",
      "@colloquy/views",
      "@colloquy/adapters",
      "@ai-sdk/openai-compatible",
      "ai",
      "ws",
      "zod",
    ],
    onlyIn: {
      "@ai-sdk/openai-compatible": ["ai-sdk/"],
      ai: ["ai-sdk/", "testing/", "testing-node/"],
      ws: ["node.ts", "node/"],
    },
    entries: {
      ".": "index",
      "./node": "node",
      "./live": "live/index",
      "./ai-sdk": "ai-sdk/index",
      "./testing": "testing/index",
      "./testing/node": "testing-node/index",
    },
    implementsPort: true,
    browserSafe: { except: ["node.ts", "node/", "testing-node/"] },
  },
  telemetry: {
    mayImport: [
      "@colloquy/protocol",
      "@colloquy/hub",
      "@colloquy/client",
      "@opentelemetry/api",
      "@opentelemetry/context-async-hooks",
      "@opentelemetry/exporter-metrics-otlp-http",
      "@opentelemetry/exporter-prometheus",
      "@opentelemetry/exporter-trace-otlp-http",
      "@opentelemetry/resources",
      "@opentelemetry/sdk-metrics",
      "@opentelemetry/sdk-trace-base",
    ],
    onlyIn: {
      "@opentelemetry/context-async-hooks": ["sdk/"],
      "@opentelemetry/exporter-metrics-otlp-http": ["sdk/"],
      "@opentelemetry/exporter-prometheus": ["sdk/"],
      "@opentelemetry/exporter-trace-otlp-http": ["sdk/"],
      "@opentelemetry/resources": ["sdk/"],
      "@opentelemetry/sdk-metrics": ["sdk/"],
      "@opentelemetry/sdk-trace-base": ["sdk/"],
    },
    entries: { ".": "index", "./agent": "agent", "./node": "node" },
    browserSafe: { except: ["node.ts", "sdk/", "log/file-span-log.ts"] },
  },
  cli: {
    mayImport: [
      "@colloquy/protocol",
      "@colloquy/views",
      "@colloquy/adapters",
      "@colloquy/hub",
      "@colloquy/storage-memory",
      "@colloquy/storage-sqlite",
      "@colloquy/client",
      "@colloquy/telemetry",
      "cli-progress",
      "commander",
      "picocolors",
      "pino",
      "zod",
    ],
    entries: {},
  },
  testkit: {
    mayImport: ["@colloquy/protocol", "vitest", "fast-check"],
    entries: { ".": "index" },
  },
};

/** Lines a file may have. Split it before it gets there. */
export const MAX_SOURCE_LINES = 400;
export const MAX_TEST_LINES = 600;
