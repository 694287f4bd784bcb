import {
  type ChannelAdapter,
  createSystemClock,
  type DeltaFrame,
  isNetworkError,
  NotFoundError,
  silentLogger,
  visibleTo,
} from "@colloquy/protocol";
import type { ParticipantClient } from "../agent/participant-client.js";
import type { ConnectionStatus } from "../connection/status.js";
import { messageOf } from "../errors.js";
import type { HubPort } from "../verbs/hub-port.js";
import type { ChannelEntry } from "./channel-entry.js";
import type { ChannelFeed, FeedListener, FollowOptions } from "./channel-feed.js";
import { createEntryLog } from "./entry-log.js";
import { createLogReader } from "./log-reader.js";
import { createQuietWatch } from "./quiet-watch.js";
import { readChanges } from "./read-changes.js";
import { shownText } from "./shown-text.js";

const DEFAULT_LAST = 200;
const DEFAULT_CAPACITY = 1_000;
const DEFAULT_QUIET_MS = 120_000;
/** Pieces that wait while missed envelopes are read; beyond it the oldest is left out. */
const MAX_HELD = 1_024;

/** Who follows. */
export type Follower = Pick<ParticipantClient, "agentId" | "hub" | "stopped" | "observeChannel">;

/**
 * Follows a channel as a screen does: its envelopes, each once and in order, what the participant says
 * itself among them, and answers while they are written. Resolves when the newest envelopes are read.
 *
 * @param participant - a person or an agent that takes part in the channel
 * @throws NotFoundError for a channel that it does not take part in
 * @throws ClientError `client/disconnected` once it has stopped
 */
export async function followChannel(
  participant: Follower,
  channelId: string,
  options: FollowOptions = {},
): Promise<ChannelFeed> {
  const { clock = createSystemClock(), logger = silentLogger } = options;
  const { hub, agentId } = participant;
  const channel = await hub.getChannel(channelId);
  // The hub answers for all participants of this connection.
  if (channel.participants.every((member) => member.agent_id !== agentId)) {
    throw new NotFoundError(`channel not found: '${channelId}'`);
  }
  const adapter = adapterOf(hub, channel);
  const log = createEntryLog(options.capacity ?? DEFAULT_CAPACITY);
  const listeners = new Set<FeedListener>();
  let link: ConnectionStatus = { state: "open", attempt: 0, reason: "" };
  let isReading = false;
  let error: Error | null = null;
  let isClosed = false;
  let held: DeltaFrame[] = [];

  const tell = (changed: readonly ChannelEntry[]): void => {
    for (const entry of changed) quiet.note(entry);
    for (const listener of [...listeners]) {
      try {
        listener(changed);
      } catch (thrown) {
        const fields = { channel_id: channelId, agent_id: agentId, error: messageOf(thrown) };
        logger.error(fields, "a listener of a feed threw");
      }
    }
  };
  const tellChanges = (changed: readonly ChannelEntry[]): void => {
    if (changed.length > 0) tell(changed);
  };
  const quiet = createQuietWatch(clock, options.quietMs ?? DEFAULT_QUIET_MS, (id) =>
    tellChanges(log.breakOff(id, "quiet")),
  );
  const reader = await createLogReader({
    hub,
    channelId,
    last: options.last ?? DEFAULT_LAST,
    take(envelope, position) {
      // The hub shows what any participant of this connection may see.
      if (isClosed || !visibleTo(envelope, agentId)) return;
      tell(log.takeEnvelope({ envelope, position, text: shownText(adapter, envelope) }));
    },
    onBegin() {
      isReading = true;
    },
    onEnd(failure) {
      isReading = false;
      error = failure;
      const pieces = held;
      held = [];
      if (isClosed) return;
      for (const delta of pieces) tellChanges(log.takeDelta(delta));
      tell([]);
    },
  });

  const stopObserving = participant.observeChannel(channelId, {
    onEnvelope: (envelope, position) => reader.arrived(envelope, position),
    onPosted: (position) => reader.readOn(position),
    onDelta(delta) {
      if (!isReading) return tellChanges(log.takeDelta(delta));
      held.push(delta);
      if (held.length > MAX_HELD) held.shift();
    },
  });
  const steps = hub.status();
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    quiet.end();
    void steps.return?.();
    stopObserving();
    tell([]);
    listeners.clear();
  };
  const watchLink = async (): Promise<void> => {
    for await (const status of steps) {
      if (isClosed) return;
      const wasUp = link.state === "open";
      link = status;
      quiet.setLink(status.state === "open");
      if (status.state === "open" && !wasUp) reader.readOn();
      tell([]);
    }
    close();
  };
  const feed: ChannelFeed = {
    channelId,
    get entries() {
      return log.entries;
    },
    get dropped() {
      return log.dropped;
    },
    get writing() {
      const growing = log.entries.filter(({ state }) => state === "growing");
      return growing.map(({ senderId }) => senderId);
    },
    get link() {
      return link;
    },
    get isCurrent() {
      return !isClosed && link.state === "open" && !isReading && error === null;
    },
    get error() {
      return error;
    },
    get isClosed() {
      return isClosed;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    changes: () => readChanges(feed),
    close,
    [Symbol.dispose]: close,
  };
  void watchLink();
  void participant.stopped.then(close);
  // What has come since the first reading.
  reader.readOn();
  return feed;
}

/** The channel's type; null where this client does not know it. */
function adapterOf(
  hub: Follower["hub"],
  channel: Parameters<HubPort["adapterFor"]>[0],
): ChannelAdapter | null {
  try {
    return hub.adapterFor(channel);
  } catch (error) {
    if (isNetworkError(error)) return null;
    throw error;
  }
}
