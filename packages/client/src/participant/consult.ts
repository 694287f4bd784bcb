import {
  type ChannelMetadata,
  type Envelope,
  EV_CHANNEL_CLOSED,
  EV_CHANNEL_EXPIRED,
  EV_CHANNEL_INVITE_REJECT,
  EV_TEXT,
  ProtocolError,
  parseDuration,
  type Rule,
} from "@colloquy/protocol";
import type { ConsultOptions } from "../agent/agent-client.js";
import { resolveTarget } from "../channel/resolve-target.js";
import { ClientError, isClientError } from "../errors.js";
import type { HubPort } from "../verbs/hub-port.js";
import type { ParticipantCore } from "./participant-core.js";

const DEFAULT_TIMEOUT_MS = 300_000;
/** How long the channel type gives the one who is asked. */
const USUAL_REPLY_MS = 600_000;
/** How much longer the channel lives than the wait, so that the one who waits ends it. */
const LINGER_SECONDS = 60;

/** What asking a question needs of the agent. */
export interface ConsultHost {
  readonly core: ParticipantCore;
  readonly hub: HubPort;
  /** Channels whose envelopes go to the inbox only, not to the handler. */
  readonly suppressed: Set<string>;
}

/** Asks one question in a channel of its own; see `AgentClient.consult`. */
export async function consult(
  host: ConsultHost,
  target: string,
  prompt: string,
  options: ConsultOptions = {},
): Promise<string> {
  const { core, hub, suppressed } = host;
  core.requireActive();
  requireWanted(options.signal);
  const targetId = await resolveTarget(hub, target);
  if (targetId === core.client.agentId) {
    throw new ProtocolError(`'${target}' is the one who asks; consult somebody else`);
  }
  const timeoutMs = options.timeoutMs === undefined ? DEFAULT_TIMEOUT_MS : options.timeoutMs;
  const { channelId } = await core.client.open({
    type: "consulting",
    ttl: lifeFor(timeoutMs, core.client.rule),
    target: targetId,
    knobs: knobsFor(hub, timeoutMs, options.capability),
    parent: options.parent,
  });
  suppressed.add(channelId);
  try {
    options.onStage?.("opened");
    requireWanted(options.signal);
    await ask(host, channelId, targetId, {
      ...{ prompt, depth: options.depth ?? 1, traceparent: options.traceparent ?? null },
    });
    options.onStage?.("asked");
    const last = await core.inboxes
      .ensure(channelId)
      .take((envelope) => answers(envelope, targetId) || ends(envelope), {
        timeoutMs,
        signal: options.signal,
      });
    if (!ends(last)) return String(last.event_data["text"] ?? "");
    const why = String(last.event_data["reason"] || last.event_type);
    throw new ClientError("client/channel_ended", `channel closed: ${why}`, {
      details: { channel_id: channelId, reason: why },
    });
  } catch (error) {
    if (isClientError(error) && error.code !== "client/channel_ended") {
      await closeQuietly(hub, channelId, error.code.slice("client/".length));
    }
    throw error;
  } finally {
    suppressed.delete(channelId);
    core.inboxes.discard(channelId);
  }
}

/**
 * The channel type closes a question that nobody has answered within ten minutes. Who waits longer says
 * so; a hub of the bare profile has no such knob.
 */
function knobsFor(
  { profile }: HubPort,
  timeoutMs: number | null,
  capability: string | undefined,
): Record<string, unknown> | undefined {
  const named = capability === undefined ? {} : { capability };
  if (profile === "ag2" || (timeoutMs !== null && timeoutMs < USUAL_REPLY_MS)) {
    return capability === undefined ? undefined : named;
  }
  const reply =
    timeoutMs === null
      ? { off: true }
      : { on_violation: "auto_close", params: { seconds: lingering(timeoutMs) } };
  return { ...named, expectations: [{ name: "reply_within", ...reply }] };
}

/** Seconds, a little more than the wait. */
function lingering(timeoutMs: number): number {
  return Math.ceil(timeoutMs / 1_000) + LINGER_SECONDS;
}

/** Life of the question's channel, in seconds; undefined where the rule's is long enough. */
function lifeFor(timeoutMs: number | null, { limits }: Rule): number | undefined {
  if (timeoutMs === null) return 0;
  const usual = parseDuration(limits.channel_ttl_default);
  const wanted = lingering(timeoutMs);
  return usual <= 0 || usual >= wanted ? undefined : wanted;
}

/** Nobody is asked what nobody waits for. */
function requireWanted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new ClientError("client/aborted", "the question was aborted", { cause: signal.reason });
}

async function ask(
  { core, hub }: ConsultHost,
  channelId: string,
  targetId: string,
  question: {
    readonly prompt: string;
    readonly depth: number;
    readonly traceparent: string | null;
  },
): Promise<void> {
  try {
    await core.client.post({
      channel_id: channelId,
      event_type: EV_TEXT,
      event_data: { text: question.prompt },
      audience: [targetId],
      depth: question.depth,
      trace_id: question.traceparent,
    });
  } catch (error) {
    await closeQuietly(hub, channelId, "prompt_send_failed");
    throw error;
  }
}

async function closeQuietly(
  hub: HubPort,
  channelId: string,
  reason: string,
): Promise<ChannelMetadata | null> {
  try {
    return await hub.closeChannel(channelId, reason);
  } catch {
    // The channel's time to live ends it; the caller learns the first error.
    return null;
  }
}

function answers(envelope: Envelope, targetId: string): boolean {
  return envelope.event_type === EV_TEXT && envelope.sender_id === targetId;
}

function ends({ event_type }: Envelope): boolean {
  return (
    event_type === EV_CHANNEL_CLOSED ||
    event_type === EV_CHANNEL_EXPIRED ||
    event_type === EV_CHANNEL_INVITE_REJECT
  );
}
