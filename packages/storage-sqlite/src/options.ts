import {
  type Clock,
  createSystemClock,
  InvalidInputError,
  type Logger,
  silentLogger,
  wholeNumber,
} from "@colloquy/protocol";
import type { Durability } from "./file/connect.js";

/** Options of `openSqliteStore`. */
export interface SqliteStoreOptions {
  /** The database file. It is created when it is not there; its folder must be. */
  readonly path: string;
  /**
   * What a resolved commit survives: `sync` (default) power loss, `os` a killed process only, which
   * saves one wait for the disk per commit.
   */
  readonly durability?: Durability | undefined;
  /** Opens beside the owner, for reading only; default false. Is never refused for a lock. */
  readonly readonly?: boolean | undefined;
  /** Milliseconds to wait for another process's lock before a commit or the opening fails; default 5,000. */
  readonly busyTimeoutMs?: number | undefined;
  /** Milliseconds that the lazy part of a batch waits at most; default 50. */
  readonly lazyDelayMs?: number | undefined;
  /** Every so many positions of a channel are indexed; default 64. May differ from one opening to the next. */
  readonly anchorEvery?: number | undefined;
  /** Bytes of the journal above which a blocked checkpoint is reported; default 64 MiB. */
  readonly walAlertBytes?: number | undefined;
  /** Default: the machine's, with timers that do not keep the process alive. */
  readonly clock?: Clock | undefined;
  /** Default: silent. */
  readonly logger?: Logger | undefined;
}

/** {@link SqliteStoreOptions} with every default filled in. */
export type FilledOptions = {
  readonly [K in keyof SqliteStoreOptions]-?: Exclude<SqliteStoreOptions[K], undefined>;
};

/**
 * Fills in the defaults.
 *
 * @throws InvalidInputError that names the option which cannot be
 */
export function fillOptions(options: SqliteStoreOptions): FilledOptions {
  const durability = options.durability ?? "sync";
  if (durability !== "sync" && durability !== "os") {
    const remedy = 'Give "sync" or "os", or leave it out.';
    throw new InvalidInputError(`field durability: received ${String(durability)}. ${remedy}`, {
      field: "durability",
      received: typeof durability,
      remedy,
    });
  }
  return {
    path: options.path,
    durability,
    readonly: options.readonly ?? false,
    busyTimeoutMs: wholeNumber(options.busyTimeoutMs, 0, 5_000, "busyTimeoutMs"),
    lazyDelayMs: wholeNumber(options.lazyDelayMs, 0, 50, "lazyDelayMs"),
    anchorEvery: wholeNumber(options.anchorEvery, 1, 64, "anchorEvery"),
    walAlertBytes: wholeNumber(options.walAlertBytes, 1, 64 * 1_024 * 1_024, "walAlertBytes"),
    clock: options.clock ?? createSystemClock({ unref: true }),
    logger: options.logger ?? silentLogger,
  };
}
