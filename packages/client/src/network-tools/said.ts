import { type Envelope, EV_PACKET, EV_TEXT, visibleTo } from "@colloquy/protocol";
import type { NetworkPort } from "./network-port.js";

/** Envelopes that are read at a time. */
const PAGE = 200;

type Test = (envelope: Envelope) => boolean;

/** The text of what was said; empty for an envelope that says nothing. */
export function textOf({ event_type, event_data }: Envelope): string {
  const field = event_type === EV_PACKET ? "body" : "text";
  const text = event_data[field];
  return typeof text === "string" ? text : "";
}

/** What was said in a channel and meets the test, as far as the agent may see it: the oldest `most`. */
export async function oldestSaid(
  port: NetworkPort,
  channelId: string,
  test: Test,
  most: number,
): Promise<readonly Envelope[]> {
  const found: Envelope[] = [];
  let after: number | null = 0;
  while (after !== null && found.length < most) {
    const page: PageOf = await port.hub.readPage(channelId, { after, limit: PAGE });
    found.push(...page.envelopes.filter((envelope) => isSaid(port, envelope) && test(envelope)));
    after = page.next;
  }
  return found.slice(0, most);
}

/** {@link oldestSaid}, but the newest `most`, oldest first; read from the end. */
export async function newestSaid(
  port: NetworkPort,
  channelId: string,
  test: Test,
  most: number,
): Promise<readonly Envelope[]> {
  const { head } = await port.hub.readPage(channelId, { last: 0 });
  let found: Envelope[] = [];
  for (let end = head; end > 0 && found.length < most; end -= PAGE) {
    const stretch = await readStretch(port, channelId, Math.max(0, end - PAGE), end);
    found = [...stretch.filter((envelope) => isSaid(port, envelope) && test(envelope)), ...found];
  }
  return found.slice(-most);
}

/** Everything above one position up to another; one page may hold less of it, since bytes count too. */
async function readStretch(
  { hub }: NetworkPort,
  channelId: string,
  from: number,
  upTo: number,
): Promise<readonly Envelope[]> {
  const stretch: Envelope[] = [];
  for (let after: number | null = from; after !== null && after < upTo; ) {
    const page: PageOf = await hub.readPage(channelId, { after, limit: upTo - after });
    stretch.push(...page.envelopes);
    after = page.next;
  }
  return stretch;
}

type PageOf = Awaited<ReturnType<NetworkPort["hub"]["readPage"]>>;

function isSaid({ agentId }: NetworkPort, envelope: Envelope): boolean {
  const { event_type } = envelope;
  return (event_type === EV_TEXT || event_type === EV_PACKET) && visibleTo(envelope, agentId);
}
