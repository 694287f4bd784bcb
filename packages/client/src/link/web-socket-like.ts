/** The part of the standard `WebSocket` that the link uses. */
export interface WebSocketLike {
  /** Subprotocol that the server chose; empty for none. */
  readonly protocol: string;
  readonly bufferedAmount: number;
  binaryType: string;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onerror: ((event: { readonly message?: unknown; readonly error?: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

/** Makes a socket that begins to dial. The standard `WebSocket` constructor fits. */
export type WebSocketConstructor = new (
  url: string,
  protocols?: string | string[],
) => WebSocketLike;
