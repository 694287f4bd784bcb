import type { AgentClient } from "@colloquy/client";
import { serveWebSocket } from "@colloquy/hub/ws";
import type { Page } from "playwright-core";
import { type Relay, startRelay } from "../../client/relay.js";
import { startTestNetwork, type TestNetwork } from "../../fixtures/test-network.js";
import { launchChromium } from "./launch-chromium.js";
import { readScreen, type Screen } from "./screen.js";
import { servePage } from "./serve-page.js";

/** An agent that writes on the test's command. */
export interface Writer {
  readonly client: AgentClient;
  /** Turns that were asked of it. */
  readonly asked: number;
  /** Shows a piece of its answer. */
  show(text: string): void;
  /** Ends its turn with an answer. */
  answer(text: string): void;
}

/** A hub with agents over WebSockets, and a person's page in a browser behind a network of its own. */
export interface Stage extends AsyncDisposable {
  readonly network: TestNetwork;
  /** Between the page and the hub. */
  readonly relay: Relay;
  readonly page: Page;
  readonly screen: Screen;
  /** What the page has reported as errors. */
  readonly faults: readonly string[];
  writer(name: string): Promise<Writer>;
}

/** Sets the stage and opens the page. */
export async function setStage(): Promise<Stage> {
  const ends: (() => PromiseLike<void>)[] = [];
  const endAll = async (): Promise<void> => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  try {
    const network = await startTestNetwork({ transport: "ws" });
    ends.push(() => network[Symbol.asyncDispose]());
    const served = await servePage();
    ends.push(() => served[Symbol.asyncDispose]());
    const server = await serveWebSocket(network.hub, { allowedOrigins: [served.origin] });
    ends.push(() => server.stop());
    const relay = await startRelay(server.url);
    ends.push(() => relay.stop());
    const browser = await launchChromium();
    ends.push(() => browser.close());
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("pageerror", ({ message }) => faults.push(message));
    await page.goto(`${served.origin}/?hub=${encodeURIComponent(relay.url)}`);
    return {
      ...{ network, relay, page, screen: readScreen(page), faults },
      writer: (name) => createWriter(network, name),
      [Symbol.asyncDispose]: endAll,
    };
  } catch (error) {
    await endAll();
    throw error;
  }
}

async function createWriter(network: TestNetwork, name: string): Promise<Writer> {
  let show: (text: string) => void = () => undefined;
  let answer: (text: string) => void = () => undefined;
  let asked = 0;
  const script = (turn: { onDelta(text: string): void }): Promise<string> => {
    asked += 1;
    show = (text) => turn.onDelta(text);
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  const { client } = await network.agent(name, script, { deltaIntervalMs: 0 });
  return {
    client,
    get asked() {
      return asked;
    },
    show: (text) => show(text),
    answer: (text) => answer(text),
  };
}
