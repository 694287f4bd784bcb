import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

/** A stretch of network that a test can make vanish without a close. */
export interface Relay {
  readonly url: string;
  /** Nothing passes any more in either direction, and nobody is told. */
  freeze(): void;
  /** New connections pass; those that were frozen stay dead. */
  thaw(): void;
  /** Ends all connections on both sides at once, as a reset does; new ones pass. */
  cut(): void;
  stop(): Promise<void>;
}

/** Puts a relay before a server of WebSockets. */
export async function startRelay(url: string): Promise<Relay> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      let isDead = false;
      from.on("data", (data) => {
        isDead ||= isFrozen;
        if (!isDead) to.write(data);
      });
      from.on("error", () => undefined);
      from.on("close", () => {
        sockets.delete(from);
        if (!isFrozen && !isDead) to.destroy();
      });
    }
  });
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    freeze() {
      isFrozen = true;
    },
    thaw() {
      isFrozen = false;
    },
    cut,
    async stop() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
