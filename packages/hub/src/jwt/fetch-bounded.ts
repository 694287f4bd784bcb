/** Most bytes of a JWKS: some hundred keys. */
const MAX_BYTES = 262_144;

/** Fetches like `fetch`, and gives up on an answer that is larger than a JWKS has any reason to be. */
export async function fetchBounded(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (part?.value === undefined) break;
    bytes += part.value.byteLength;
    if (bytes > MAX_BYTES) {
      await reader?.cancel();
      throw new RangeError(`the answer has more than ${MAX_BYTES} bytes`);
    }
    parts.push(part.value);
  }
  const { status, headers } = response;
  const body = Buffer.concat(parts);
  return new Response(body.length === 0 ? null : body, { status, headers });
}
