import { type Envelope, SPOKEN_EVENT_TYPES, visibleTo } from "@colloquy/protocol";
import type { NetworkPort } from "./network-port.js";

/** Envelopes that are read at a time. */
const PAGE = 200;

type Test = (envelope: Envelope) => boolean;

/** The oldest `most` of what was said in a channel with the words in it, as far as the agent may see it. */
export async function findSaid(
  { hub, agentId }: NetworkPort,
  channelId: string,
  query: string,
  most: number,
): Promise<readonly Envelope[]> {
  const found: Envelope[] = [];
  for (let after: number | null = 0; after !== null && found.length < most; ) {
    const limit = most - found.length;
    const page: Found = await hub.searchText(channelId, { agent_id: agentId, query, after, limit });
    found.push(...page.envelopes);
    after = page.next;
  }
  return found;
}

/** The newest `most` of what was said and meets the test, oldest first; read from the end. */
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

type Found = Awaited<ReturnType<NetworkPort["hub"]["searchText"]>>;
type PageOf = Awaited<ReturnType<NetworkPort["hub"]["readPage"]>>;

function isSaid({ agentId }: NetworkPort, envelope: Envelope): boolean {
  return SPOKEN_EVENT_TYPES.has(envelope.event_type) && visibleTo(envelope, agentId);
}
