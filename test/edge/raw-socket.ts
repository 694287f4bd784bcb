import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { until } from "@colloquy/testkit";

/** A TCP socket that has been upgraded by hand, and does nothing by itself. */
export interface RawSocket {
  readonly socket: Socket;
  /** All bytes after the upgrade's answer. */
  readonly received: Buffer;
  /** Code of the first close frame that came in; null for none. */
  readonly closeCode: number | null;
}

const KEY = "dGhlIHNhbXBsZSBub25jZQ==";

/** The request of an upgrade, to be written in whole or in part. */
export function upgradeRequest(port: number): string {
  const lines = [
    "GET / HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${KEY}`,
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** Opens a TCP connection to a loopback port. */
export async function openTcp(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}

/** Opens a socket and upgrades it. */
export async function openRawSocket(port: number): Promise<RawSocket> {
  const socket = await openTcp(port);
  let received = Buffer.alloc(0);
  let start = -1;
  socket.on("data", (data) => {
    received = Buffer.concat([received, data]);
    if (start < 0) start = received.indexOf("\r\n\r\n");
  });
  socket.write(upgradeRequest(port));
  await until(() => start >= 0, { describe: "the upgrade is answered" });
  const rest = (): Buffer => received.subarray(start + 4);
  return {
    socket,
    get received() {
      return rest();
    },
    get closeCode() {
      const bytes = rest();
      const at = bytes.indexOf(0x88);
      return at < 0 || bytes.length < at + 4 ? null : bytes.readUInt16BE(at + 2);
    },
  };
}

/** A frame with a mask of zeros, so that its payload reads as it is. */
export function frameBytes(firstByte: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const length =
    payload.length < 126
      ? Buffer.from([0x80 | payload.length])
      : Buffer.from([0x80 | 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([Buffer.from([firstByte]), length, Buffer.alloc(4), payload]);
}
