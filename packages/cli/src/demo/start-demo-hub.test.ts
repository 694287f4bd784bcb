import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createSystemClock, silentLogger } from "@colloquy/protocol";
import { makeTempFolder } from "@colloquy/testkit";
import { expect, it } from "vitest";
import { startDemoHub } from "./start-demo-hub.js";

async function takePort(): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

it("takes a free port when the usual one is taken, and only then", async () => {
  using folder = makeTempFolder();
  await using taken = await takePort();
  const usualPort = taken.port;
  const start = (port: number | null) =>
    startDemoHub({ data: folder.at("hub.db"), port, usualPort }, createSystemClock(), silentLogger);
  const { hub, server } = await start(null);
  expect(server.port).not.toBe(usualPort);
  expect(server.url).toBe(`ws://127.0.0.1:${server.port}`);
  await hub.close();
  await expect(start(usualPort)).rejects.toThrow(String(usualPort));
});
