import type { CoreContext } from "../context/core-context.js";
import type { FiredMarks } from "../expectations/fired-marks.js";
import type { HandlerHub } from "../expectations/handler.js";
import type { ExpectationRegistry } from "../expectations/registry.js";
import type { Watch } from "../expectations/watch.js";
import type { LiveChannel } from "../live/live-channel.js";
import type { UnsureFiring } from "./unsure-firings.js";

/** What the engine of expectations works on. */
export interface EngineParts {
  /** Used only after it is complete. */
  readonly context: () => CoreContext;
  readonly hub: () => HandlerHub;
  readonly registry: ExpectationRegistry;
  readonly marks: FiredMarks;
}

/** What firing a violation shares with the engine. */
export interface Engine extends EngineParts {
  /** Violations that have fired since the hub was opened. */
  fired: number;
  /** Sets a channel's alarm for what it has open now. */
  arm(live: LiveChannel, watch: Watch): void;
  /** A firing has failed, and may be in the store all the same. */
  unsure(channelId: string, firing: UnsureFiring): void;
  /** Looks again somewhat later, because the store has not taken what was to be written. */
  retry(watch: Watch): void;
}
