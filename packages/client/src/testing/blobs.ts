/** Texts of at least so many characters without a gap are data, such as a picture in base64. */
const MIN_BLOB = 1_000;

/** A short name for data that is too long to be read: its length and a checksum. */
export function nameBlob(data: string | Uint8Array): string {
  const unit = typeof data === "string" ? "characters" : "bytes";
  return `(${data.length} ${unit}, checksum ${checksum(data)})`;
}

/** True for a text that is data rather than words. */
export function isBlob(text: string): boolean {
  return text.length >= MIN_BLOB && !/\s/.test(text);
}

/** FNV-1a of 32 bits: tells different data apart, and is no protection against forgery. */
export function checksum(data: string | Uint8Array): string {
  let sum = 0x811c9dc5;
  for (let at = 0; at < data.length; at += 1) {
    sum ^= typeof data === "string" ? data.charCodeAt(at) : (data[at] ?? 0);
    sum = Math.imul(sum, 0x01000193) >>> 0;
  }
  return sum.toString(16).padStart(8, "0");
}
