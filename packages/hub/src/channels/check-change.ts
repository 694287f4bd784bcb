import { isTerminalState, type MembershipChange, ProtocolError } from "@colloquy/protocol";
import type { CoreContext } from "../context/core-context.js";
import { callAdapter } from "../core/adapter-fault.js";
import type { LiveChannel } from "../live/live-channel.js";

/** Refuses a change of the members in a channel that is not open. */
export function requireOpen({ id, metadata: { state } }: LiveChannel): void {
  if (state === "active" || state === "closing") return;
  const why = isTerminalState(state) ? `is ${state}` : `is not active (state=${state})`;
  throw new ProtocolError(`channel '${id}' ${why}`, { details: { state } });
}

/** True if participants of this channel may come and go. */
export function mayChange({ adapter }: LiveChannel): boolean {
  return adapter?.membership !== undefined;
}

/** Asks the channel's adapter about a change of the members. Throws `ProtocolError` when it refuses. */
export function checkChange(
  { logger }: Pick<CoreContext, "logger">,
  live: LiveChannel,
  change: MembershipChange,
): void {
  const membership = live.adapter?.membership;
  if (membership === undefined) {
    throw new ProtocolError(
      `a channel of type '${live.metadata.manifest.type}' keeps its participants; close it instead`,
    );
  }
  callAdapter({ logger, channelId: live.id, method: "membership.validate" }, () =>
    membership.validate(live.metadata, change, live.state),
  );
}
