import type { ChannelEventKind } from "@colloquy/hub";
import type { ChannelMetadata } from "@colloquy/protocol";
import { type Attributes, SpanKind } from "@opentelemetry/api";
import { ATTR, textAttribute } from "../spans/attributes.js";
import { type SpanMaker, startSpan } from "../spans/open-span.js";
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
    const type = channel?.manifest.type ?? "unknown";
    const span = startSpan(maker, {
      name: `network.channel ${type}`,
      type: "channel",
      kind: SpanKind.INTERNAL,
      attributes: {
        [ATTR.channelId]: channelId,
        [ATTR.manifestType]: type,
        [ATTR.creatorId]: channel?.creator_id ?? "",
      },
    });
    channels.set(channelId, span);
    return;
  }
  const span = channels.get(channelId);
  if (span === undefined) return;
  span.addEvent(kind, reasonOf(payload));
  if (kind !== "closed" && kind !== "expired") return;
  channels.delete(channelId);
  span.end(kind === "expired" ? { status: "ERROR", message: "expired" } : {});
}

function reasonOf({ reason }: Readonly<Record<string, unknown>>): Attributes {
  return typeof reason === "string" ? { [ATTR.reason]: textAttribute(reason) } : {};
}
