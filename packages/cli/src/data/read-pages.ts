import type {
  ChannelFilter,
  ChannelMetadata,
  RecordKind,
  Store,
  StoredEnvelope,
  StoredRecord,
  WalRange,
} from "@colloquy/protocol";

/** Envelopes of a channel, page by page, so that no read lasts long. */
export async function* eachOfChannel(
  store: Store,
  channelId: string,
  range: WalRange = {},
): AsyncGenerator<StoredEnvelope, void, undefined> {
  let after = range.after ?? 0;
  for (;;) {
    const page = await store.readWal(channelId, { ...range, after });
    yield* page.envelopes;
    if (page.next === null) return;
    after = page.next;
  }
}

/** Envelopes of the whole store in global order: rows above `after` up to `upTo`. */
export async function* eachRow(
  store: Store,
  after: number,
  upTo: number,
): AsyncGenerator<StoredEnvelope, void, undefined> {
  let last = after;
  while (last < upTo) {
    const page = await store.readLog(last);
    for (const stored of page) {
      if (stored.row > upTo) return;
      yield stored;
      last = stored.row;
    }
    if (page.length === 0) return;
  }
}

/** Channels in creation order. */
export async function* eachChannel(
  store: Store,
  filter: Omit<ChannelFilter, "after" | "limit"> = {},
): AsyncGenerator<ChannelMetadata, void, undefined> {
  let after = "";
  for (;;) {
    const page = await store.listChannels({ ...filter, after });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.channel_id;
  }
}

/** Records of one kind, by id. */
export async function* eachRecord(
  store: Store,
  kind: RecordKind,
): AsyncGenerator<StoredRecord, void, undefined> {
  let after = "";
  for (;;) {
    const page = await store.listRecords(kind, after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
