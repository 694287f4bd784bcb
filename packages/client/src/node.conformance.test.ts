import { serveWebSocket } from "@colloquy/hub/ws";
import {
  createFakeAcceptor,
  type FakeAcceptor,
  type LinkSubject,
  runLinkConformance,
} from "@colloquy/testkit";
import { createNodeLink } from "./node.js";

function serve(acceptor: FakeAcceptor) {
  return serveWebSocket({
    accept: (peer) => acceptor.accept(peer),
    health: () => ({}) as never,
    checkHealth: async () => ({}) as never,
    authSchemes: ["none"],
    closed: new Promise(() => undefined),
  } as Parameters<typeof serveWebSocket>[0]);
}

runLinkConformance("node link over a WebSocket", async (): Promise<LinkSubject> => {
  const acceptor = createFakeAcceptor();
  const server = await serve(acceptor);
  const gone = await serve(acceptor);
  await gone.stop();
  return {
    link: createNodeLink(server.url),
    acceptor,
    unreachable: createNodeLink(gone.url),
    dispose: () => server.stop(),
  };
});
