import {
  type FrameCodec,
  type HubConnection,
  InvalidInputError,
  isNumberFault,
  withoutNumberFaults,
} from "@colloquy/protocol";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** A text, or null for bytes that are no UTF-8. Text messages were checked by the socket already. */
export function readText(data: Buffer, isBinary: boolean): string | null {
  if (!isBinary) return data.toString();
  try {
    return decoder.decode(data);
  } catch {
    return null;
  }
}

/** Hands one message to the hub: as a frame, or as what it fails to be. */
export function receiveText(connection: HubConnection, codec: FrameCodec, text: string): void {
  let frame: unknown;
  try {
    frame = codec.decodeClientFrame(text);
  } catch (error) {
    connection.receiveBad(withRequestId(error, text));
    return;
  }
  connection.receive(frame, true, text.length);
}

/** Names the request that a malformed frame was meant to be, as far as that can be read. */
function withRequestId(error: unknown, text: string): Error {
  const original = error instanceof Error ? error : new Error(String(error));
  if (!(original instanceof InvalidInputError)) return original;
  const requestId = readRequestId(isNumberFault(original) ? withoutNumberFaults(text) : text);
  if (requestId === null) return original;
  const { field, received, remedy, ...details } = {
    ...{ field: "", received: "", remedy: "" },
    ...original.details,
  };
  return new InvalidInputError(original.message, {
    field,
    received,
    remedy,
    details: { ...details, request_id: requestId },
  });
}

function readRequestId(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return null;
    const requestId: unknown = Reflect.get(value, "request_id");
    return typeof requestId === "string" ? requestId : null;
  } catch {
    return null;
  }
}
