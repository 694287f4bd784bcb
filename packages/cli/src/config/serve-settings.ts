import * as z from "zod";
import { limitSettings } from "./limit-settings.js";
import { listSettings } from "./setting.js";
import { socketSettings } from "./socket-settings.js";

/** The data file of every command that is not told another. */
export const DEFAULT_DATA_FILE = ".colloquy/hub.db";

/** The port of a hub that is not told another. */
export const DEFAULT_PORT = 7420;

const text = z.string().min(1);

/** A key, or `sha256:` and 64 hex characters; a mistyped digest must not become a key. */
const key = text.refine((value) => !value.startsWith("sha256:") || DIGEST.test(value));
const DIGEST = /^sha256:[0-9a-f]{64}$/i;

/**
 * The settings of `colloquy serve`: one schema for its config file, its environment variables and
 * its flags. Each field has a default, a unit where its values have one, and a sentence for help
 * pages.
 */
export const serveSettingsSchema = z.strictObject({
  /** Where to listen. Anything but this machine needs `auth` or `allowUnauthenticated`. */
  host: text.default("127.0.0.1").meta({
    unit: "address",
    description: "Address to listen on. Any but a loopback address needs authentication.",
  }),
  /** 0 takes a free port, which the line at the start names. */
  port: z.int().min(0).max(65_535).default(DEFAULT_PORT).meta({
    unit: "port",
    description: "Port to listen on; 0 takes a free one.",
  }),
  /** Made with its folder when it is not there. */
  data: text.default(DEFAULT_DATA_FILE).meta({
    unit: "path",
    description: "The data file; made when it is not there.",
  }),
  /** `os` trades the newest moments before a power loss for speed. */
  durability: z.enum(["sync", "os"]).default("sync").meta({
    description:
      "What an acknowledged envelope survives: sync a power loss, os only a killed process.",
  }),
  /** What is logged to the error stream. */
  logLevel: z.enum(["debug", "info", "warn", "error", "silent"]).default("info").meta({
    description: "Least severe log lines to write.",
  }),
  /** `auto` is `text` on a terminal and `json` elsewhere. */
  logFormat: z.enum(["auto", "json", "text"]).default("auto").meta({
    description: "Form of log lines: json for machines, text for people, auto by who reads.",
  }),
  /** Traces and figures go there; without it what `OTEL_EXPORTER_OTLP_*` say counts. */
  otlp: z.string().default("").meta({
    unit: "URL",
    description:
      "OTLP receiver over HTTP for traces and metrics, such as http://127.0.0.1:4318. Empty: what OTEL_EXPORTER_OTLP_ENDPOINT says, if anything.",
  }),
  /** Only operators see it. */
  metrics: z.boolean().default(false).meta({
    description: "Serves figures for Prometheus to operators at /metrics.",
  }),
  /** For a hub whose spans are only to be kept in its span log. */
  traces: z.boolean().default(false).meta({
    description: "Records traces although no OTLP receiver is named.",
  }),
  /** Beside the data file, in `<data>.spans.jsonl`. */
  spanLogBytes: z.int().min(0).default(67_108_864).meta({
    unit: "bytes",
    description:
      "While traces are recorded: bytes of spans kept beside the data file; 0 keeps none.",
  }),
  /** How an agent proves who it is. */
  auth: z.enum(["none", "api_key"]).default("none").meta({
    description: "How an agent proves who it is: none asks nothing, api_key asks for its key.",
  }),
  /** Agent name to key, or to `sha256:` and the key's digest in hex. */
  apiKeys: z.record(text, key).default({}).meta({
    secret: true,
    description:
      "For auth api_key, beside the keys of `colloquy keys`: agent name to its key, or to sha256: and the key's SHA-256 in hex.",
  }),
  /** See `HubOptions.operatorOnLoopback` of `@colloquy/hub`. */
  operatorOnLoopback: z.boolean().default(false).meta({
    description: "Takes every program on this machine for an operator, without a key.",
  }),
  /** For a hub behind something else that checks who connects. */
  allowUnauthenticated: z.boolean().default(false).meta({
    description: "Lets auth none listen beyond this machine, where a gateway checks who connects.",
  }),
  /** See `ServeOptions` of `@colloquy/hub/ws`. */
  sockets: socketSettings.prefault({}),
  /** See `HubLimits` of `@colloquy/hub`. */
  limits: limitSettings.prefault({}),
});

/** The settings of a hub with every default filled in. */
export type ServeSettings = z.output<typeof serveSettingsSchema>;

/** Every setting of {@link serveSettingsSchema}, in its order. */
export const SERVE_SETTINGS = listSettings(serveSettingsSchema);
