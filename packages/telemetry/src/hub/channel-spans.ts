import type { ChannelEventKind } from "@colloquy/hub";
import type { ChannelMetadata } from "@colloquy/protocol";
import { type Attributes, SpanKind } from "@opentelemetry/api";
import { ATTR, textAttribute } from "../spans/attributes.js";
import { type OpenSpan, type SpanMaker, startSpan } from "../spans/open-span.js";
import type { EntitySpans } from "./entity-spans.js";

/** Something that has happened to a channel. */
export interface ChannelHappening {
  readonly channelId: string;
  readonly kind: ChannelEventKind;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Begins, marks or ends the span of a channel. */
export function traceChannelEvent(
  maker: SpanMaker,
  { channels }: EntitySpans,
  { channelId, kind, payload }: ChannelHappening,
): void {
  if (kind === "created") {
    const channel = payload["metadata"] as ChannelMetadata | undefined;
    channels.set(channelId, startChannelSpan(maker, channelId, channel));
    return;
  }
  const span = channels.get(channelId);
  if (span === undefined) return;
  span.addEvent(kind, reasonOf(payload));
  if (kind !== "closed" && kind !== "expired") return;
  channels.delete(channelId);
  span.end(kind === "expired" ? { status: "ERROR", message: "expired" } : {});
}

/** Starts the span of a channel; one that an earlier process has opened is marked as resumed. */
export function startChannelSpan(
  maker: SpanMaker,
  channelId: string,
  channel: ChannelMetadata | undefined,
  isResumed = false,
): OpenSpan {
  const type = channel?.manifest.type ?? "unknown";
  return startSpan(maker, {
    name: `network.channel ${type}`,
    type: "channel",
    kind: SpanKind.INTERNAL,
    attributes: {
      [ATTR.channelId]: channelId,
      [ATTR.manifestType]: type,
      [ATTR.creatorId]: channel?.creator_id ?? "",
      ...(isResumed ? { [ATTR.resumed]: true } : {}),
    },
  });
}

function reasonOf({ reason }: Readonly<Record<string, unknown>>): Attributes {
  return typeof reason === "string" ? { [ATTR.reason]: textAttribute(reason) } : {};
}
