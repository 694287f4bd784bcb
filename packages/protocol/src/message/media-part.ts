import type { ContentPart, MediaPart } from "./content-part.js";

/** Base64 with its filling, in whole groups. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** A media type without parameters. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/i;
const ADDRESS = /^https?:\/\/[^\s]+$/i;
const SHA256 = /^[0-9a-f]{64}$/;
const MAX_ADDRESS = 2_048;

/** The media type of a picture, sound or document. */
export function mediaTypeOf(part: MediaPart): string {
  if (part.type !== "audio") return part.media_type;
  return part.format === "mp3" ? "audio/mpeg" : `audio/${part.format}`;
}

/** Bytes of the data that a part carries; 0 for text and for one that only refers to its data. */
export function inlineBytes(part: ContentPart): number {
  if (part.type === "text") return 0;
  const { base64_data } = part;
  const filling = base64_data.endsWith("==") ? 2 : base64_data.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((base64_data.length * 3) / 4) - filling);
}

/** What is wrong with a part that an envelope carries, and in which field; null for nothing. */
export function faultOfPart(part: ContentPart): { field: string; remedy: string } | null {
  if (part.type === "text") return null;
  const { base64_data, url, sha256 } = part;
  const type = part.type === "audio" ? `audio/${part.format}` : part.media_type;
  if (!MEDIA_TYPE.test(type)) {
    const field = part.type === "audio" ? "format" : "media_type";
    return { field, remedy: "Give a media type such as image/png, for sound its second half." };
  }
  if ((base64_data === "") === (url === undefined || url === null || url === "")) {
    return { field: "base64_data", remedy: "Give either base64_data or url, and not both." };
  }
  if (!BASE64.test(base64_data)) {
    return {
      field: "base64_data",
      remedy: "Give base64 with its filling and without line breaks.",
    };
  }
  if (url && (url.length > MAX_ADDRESS || !ADDRESS.test(url))) {
    return {
      field: "url",
      remedy: `Give an http or https address of at most ${MAX_ADDRESS} characters.`,
    };
  }
  if (sha256 && !SHA256.test(sha256)) {
    return { field: "sha256", remedy: "Give the SHA-256 as 64 lower-case hex characters." };
  }
  return null;
}

/**
 * What stands in the place of a part that cannot be shown, such as
 * `[image image/png, 12 KiB: not shown]` or `[document application/pdf "Report" at https://…: not shown]`.
 */
export function describePart(part: MediaPart, fault = "not shown"): string {
  const title = part.type === "document" && part.title ? ` ${JSON.stringify(part.title)}` : "";
  const bytes = part.url ? part.size_bytes : inlineBytes(part);
  const size = typeof bytes === "number" ? `, ${formatBytes(bytes)}` : "";
  const place = part.url ? ` at ${part.url}` : "";
  return `[${part.type} ${mediaTypeOf(part)}${title}${size}${place}: ${fault}]`;
}

function formatBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  return bytes < 1_048_576
    ? `${Math.round(bytes / 1_024)} KiB`
    : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
