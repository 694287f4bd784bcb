import type { Envelope } from "@colloquy/protocol";
import { EV_TEXT } from "@colloquy/protocol";
import { until } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { startRelay } from "../client/relay.js";
import { createCounter, numbersTo } from "./harness/counter.js";
import { startMeeting, textsIn } from "./harness/meeting.js";

const TURNS = 1_000;
/** Both connections are cut each time so many turns have passed. */
const CUT_EVERY = 50;

/** Texts in the order in which they came first. */
function firstHeard(envelopes: readonly Envelope[]): string[] {
  const ids = new Set<string>();
  return textsIn(
    envelopes.filter(({ envelope_id, event_type }) => {
      if (event_type !== EV_TEXT || ids.has(envelope_id)) return false;
      ids.add(envelope_id);
      return true;
    }),
  );
}

describe("a thousand turns", () => {
  it("alternate between Python and TypeScript, each once and in order, while both are cut every 50", {
    timeout: 240_000,
  }, async () => {
    await using meeting = await startMeeting();
    const ways = [await startRelay(meeting.hub.url), await startRelay(meeting.hub.url)] as const;
    const python = await meeting.python({ keeps: true, url: ways[0].url });
    await python.agent("pia", { script: [{ count: true }] });
    const heard: Envelope[] = [];
    const tom = await meeting.client({ url: ways[1].url }).register(createCounter("tom"), {
      onEnvelope: (envelope, agent, delivery) => {
        heard.push(envelope);
        return agent.defaultHandler(envelope, agent, delivery);
      },
    });
    const { channelId } = await tom.open({ type: "discussion", target: "pia" });
    const channel = await tom.channel(channelId);
    await channel.send("1");
    const turns = () => Number(heard.at(-1)?.event_data["text"] ?? 0);
    let cuts = 0;
    for (let at = CUT_EVERY; at < TURNS; at += CUT_EVERY) {
      await until(() => turns() >= at, {
        timeoutMs: 120_000,
        describe: () => `turn ${at}: ${turns()}`,
      });
      for (const way of ways) way.cut();
      cuts += 1;
    }
    await until(() => turns() >= TURNS, { timeoutMs: 120_000 });

    const log = (await tom.hub.readWal(channelId))
      .filter(({ event_type }) => event_type === EV_TEXT)
      .slice(0, TURNS);
    expect(textsIn(log)).toEqual(numbersTo(TURNS));
    const causes = log.map(({ causation_id }) => causation_id);
    expect(causes).toEqual([null, ...log.slice(0, -1).map(({ envelope_id }) => envelope_id)]);
    const ofPython = firstHeard(python.notified.map(({ envelope }) => envelope));
    const ofTypeScript = firstHeard(heard);
    const odd = (text: string) => Number(text) % 2 === 1;
    expect(ofPython.slice(0, TURNS / 2)).toEqual(numbersTo(TURNS).filter(odd));
    expect(ofTypeScript.slice(0, TURNS / 2)).toEqual(numbersTo(TURNS).filter((n) => !odd(n)));
    expect(cuts).toBe(TURNS / CUT_EVERY - 1);
    expect(python.returns).toBe(cuts);
    for (const way of ways) await way.stop();
  });
});
