import { deliveryStateSchema } from "@colloquy/protocol";
import * as z from "zod";
import { type ChannelBook, findEntry } from "./ledger.js";
import { type LineFacts, noFacts, noteEntry } from "./line-facts.js";
import { lineOf, type RecentRelease, type StoredRelease } from "./recent-releases.js";

const count = z.int().min(0);

/** State, attempt, reason, and the times sent, taken up, failed, answered, settled; null when nothing is known. */
const storedLineSchema = z
  .tuple([deliveryStateSchema.nullable(), count, z.string(), count, count, count, count, count])
  .nullable();

/** Place in the block, envelope, channel, position, time, recipients, and a line for each of them. */
const storedReleaseSchema = z.tuple([
  count,
  z.string(),
  z.string(),
  count,
  count,
  z.array(z.string()),
  z.array(storedLineSchema),
]);

/** The books of a board. */
type Books = ReadonlyMap<string, ChannelBook>;
type StoredLine = z.infer<typeof storedLineSchema>;

/**
 * Writes releases of one block as text; what is outstanding as it stands now.
 *
 * @param first - sequence number of the first place of the block
 */
export function encodeReleases(
  books: Books,
  releases: readonly RecentRelease[],
  first: number,
): string {
  const rows = releases.map((release): z.infer<typeof storedReleaseSchema> => {
    const { envelopeId, channelId, position, releasedAt, recipients } = release;
    const lines = recipients.map((id) => encodeLine(books, release, id));
    const place = release.sequence - first;
    return [place, envelopeId, channelId, position, releasedAt, [...recipients], lines];
  });
  return JSON.stringify(rows);
}

/** Reads what {@link encodeReleases} has written; null when it is something else. */
export function decodeReleases(text: string, first: number): StoredRelease[] | null {
  const rows = z.array(storedReleaseSchema).safeParse(parse(text));
  if (!rows.success) return null;
  return rows.data.map(
    ([place, envelopeId, channelId, position, releasedAt, recipients, lines]) => ({
      ...{ envelopeId, channelId, position, releasedAt, recipients },
      sequence: first + place,
      lines: lines.map(decodeLine),
    }),
  );
}

function encodeLine(books: Books, release: RecentRelease, recipientId: string): StoredLine {
  const { channelId, envelopeId } = release;
  const ledger = books.get(channelId)?.ledgers.get(recipientId);
  const entry = ledger === undefined ? undefined : findEntry(ledger, envelopeId);
  const known = lineOf(release, recipientId);
  if (entry === undefined && known === undefined) return null;
  const line = { ...(known ?? noFacts()) };
  if (entry !== undefined) noteEntry(line, entry);
  return [
    line.state,
    line.attempt,
    line.reason,
    ...([line.sentAt, line.takenUpAt, line.failedAt, line.answeredAt, line.settledAt] as const),
  ];
}

function decodeLine(stored: StoredLine): LineFacts | undefined {
  if (stored === null) return undefined;
  const [state, attempt, reason, sentAt, takenUpAt, failedAt, answeredAt, settledAt] = stored;
  return { state, attempt, reason, sentAt, takenUpAt, failedAt, answeredAt, settledAt };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
