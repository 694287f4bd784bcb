import { autoClose } from "./auto-close.js";
import { hideViolators, removeViolators } from "./members.js";
import { auditOnly, notifyChannel, warnViolators } from "./notices.js";
import type { Reaction } from "./reaction.js";
import { reassignTurn } from "./reassign.js";

/** What the hub can do about a violation by itself, by the name that `on_violation` gives. */
export const builtInReactions: ReadonlyMap<string, Reaction> = new Map<string, Reaction>([
  ["audit", auditOnly],
  ["notify_channel", notifyChannel],
  ["warn", warnViolators],
  ["auto_close", autoClose],
  ["reassign", reassignTurn],
  ["hide", hideViolators],
  ["remove", removeViolators],
]);
