import { createHubClient } from "@colloquy/client";
import { createNodeLink } from "@colloquy/client/node";
import { EV_TEXT } from "@colloquy/protocol";
import type { Load } from "./load.js";

const TEXT = "x".repeat(200);
/** A bench that is refused measures nothing. */
const RULE = { limits: { inbox: { max_pending: 1_000_000 } } };
const SILENT = { ask: async () => ({ text: null, events: [] }) };

/** Colloquy's clients, in this process; on AG2's hub they take its profile by themselves. */
export async function openColloquyLoad(url: string): Promise<Load> {
  const connect = () => createHubClient({ link: createNodeLink(url) });
  const clients = [connect(), connect()] as const;
  const speaker = await clients[0].register({ name: "speaker", ...SILENT }, { rule: RULE });
  const hearer = await clients[1].register({ name: "hearer", ...SILENT }, { rule: RULE });
  let left = 0;
  let complete: () => void = () => undefined;
  hearer.onEnvelope(async (envelope, client, delivery) => {
    if (envelope.event_type !== EV_TEXT) return client.defaultHandler(envelope, client, delivery);
    left -= 1;
    if (left === 0) complete();
  });
  speaker.onEnvelope(async () => undefined);
  const channel = await speaker.open({ type: "conversation", target: "hearer" });
  return {
    async round(texts, underWay) {
      left = texts;
      const heard = new Promise<void>((resolve) => (complete = resolve));
      const latenciesMs: number[] = [];
      let begun = 0;
      const post = async (): Promise<void> => {
        while (begun < texts) {
          begun += 1;
          const at = performance.now();
          await channel.send(TEXT);
          latenciesMs.push(performance.now() - at);
        }
      };
      const at = performance.now();
      await Promise.all(Array.from({ length: underWay }, post));
      await heard;
      return { seconds: (performance.now() - at) / 1000, latenciesMs };
    },
    async close() {
      for (const client of clients) await client.close();
    },
  };
}
