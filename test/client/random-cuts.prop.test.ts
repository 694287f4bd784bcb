import { EV_TEXT } from "@colloquy/protocol";
import { faultyLink, until } from "@colloquy/testkit";
import fc from "fast-check";
import { expect, it } from "vitest";
import { startTestNetwork, TRANSPORTS } from "../fixtures/test-network.js";

const MESSAGES = 15;
const AT_ONCE = { baseMs: 1, maxMs: 1 };

it.each(TRANSPORTS)(
  "over %s, links that break at random lose nothing, double nothing and keep the order",
  async (transport) => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.double({ min: 0.01, max: 0.2, noNaN: true }),
        async (seed, cut) => {
          await using network = await startTestNetwork({
            transport,
            hub: { limits: { maxSwapsPerMinute: 100_000 } },
          });
          const links = [seed, seed + 1].map((own) => faultyLink(network.link(), { seed: own }));
          const [hers, theirs] = links.map((link) => network.connect({ link, reconnect: AT_ONCE }));
          if (hers === undefined || theirs === undefined) throw new Error("there are two links");
          let turns = 0;
          await network.agent(
            "ada",
            ({ input }) => {
              turns += 1;
              return `answer to ${String(input)}`;
            },
            { on: hers },
          );
          const heard: string[] = [];
          const human = await network.human("hugo", {
            on: theirs,
            onEnvelope({ event_type, event_data }) {
              if (event_type === EV_TEXT) heard.push(String(event_data["text"]));
            },
          });
          const { channelId } = await human.open({ type: "conversation", target: "ada" });

          for (const link of links) link.randomly({ cut });
          const sent = Array.from({ length: MESSAGES }, (_, index) => `message ${index}`);
          for (const text of sent) await human.say(channelId, text).catch(() => text);
          for (const link of links) link.randomly({});
          await until(
            async () => {
              const texts = await network.texts(channelId);
              const answers = texts.filter((text) => text.startsWith("answer"));
              const isDone = texts.length === 2 * answers.length && answers.length === heard.length;
              return isDone && network.hub.health().pending_inbox_total === 0;
            },
            { timeoutMs: 15_000 },
          );

          const texts = await network.texts(channelId);
          const answers = texts.filter((text) => text.startsWith("answer"));
          const messages = texts.filter((text) => text.startsWith("message"));
          expect(messages.length).toBeGreaterThan(0);
          expect(new Set(messages).size).toBe(messages.length);
          expect(messages).toEqual(sent.filter((text) => messages.includes(text)));
          expect(answers).toEqual(messages.map((text) => `answer to ${text}`));
          expect(heard).toEqual(answers);
          expect(turns).toBe(answers.length);
        },
      ),
      { numRuns: 8 },
    );
  },
  120_000,
);
