import { type Envelope, MAX_PAGE_SIZE } from "@colloquy/protocol";
import { operationCall } from "../connection/call.js";
import type { Connection } from "../connection/connection.js";
import type { EnvelopePage, PageRange } from "./hub-verbs.js";

/** Reads logs of channels: in pages where the hub has them, whole where it has not. */
export interface WalReader {
  readWal(channelId: string, since: number, until: number | null): Promise<readonly Envelope[]>;
  readPage(channelId: string, range: PageRange): Promise<EnvelopePage>;
}

/** Makes a {@link WalReader}. */
export function createWalReader(connection: Connection): WalReader {
  const readWhole = (channelId: string, since: number, until: number | null) =>
    connection.call(operationCall("read_wal", { channel_id: channelId, since, until }));

  const readPage = async (channelId: string, range: PageRange): Promise<EnvelopePage> => {
    const { profile } = await connection.ready();
    if (profile === "ag2") return cutPage(await readWhole(channelId, 0, null), range);
    return connection.call(operationCall("read_page", { channel_id: channelId, ...range }));
  };

  return {
    readPage,
    async readWal(channelId, since, until) {
      const { profile } = await connection.ready();
      if (profile === "ag2" || since < 0 || (until !== null && until < 0)) {
        return readWhole(channelId, since, until);
      }
      const found: Envelope[] = [];
      let after: number | null = since;
      while (after !== null && (until === null || after < until)) {
        const limit: number = Math.min(MAX_PAGE, until === null ? MAX_PAGE : until - after);
        const page: EnvelopePage = await readPage(channelId, { after, limit });
        found.push(...page.envelopes);
        after = page.next;
      }
      return found;
    },
  };
}

const MAX_PAGE = MAX_PAGE_SIZE;

/** The page of a whole log, as `read_page` would give it. */
function cutPage(log: readonly Envelope[], range: PageRange): EnvelopePage {
  const after =
    range.last === undefined ? (range.after ?? 0) : Math.max(0, log.length - range.last);
  const limit = range.limit ?? MAX_PAGE;
  const envelopes = log.slice(after, after + limit);
  const end = after + envelopes.length;
  return {
    envelopes,
    positions: envelopes.map((_, index) => after + index + 1),
    next: end < log.length ? end : null,
    head: log.length,
  };
}
