import * as z from "zod";
import type { Finding } from "../finding.js";

const id = z.string().min(1);

/** A post that the hub has acknowledged. */
const postedShape = z.strictObject({
  kind: z.literal("posted"),
  channel_id: id,
  sender_id: id,
  envelope_id: id,
  position: z.int().min(1).optional(),
  idempotency_key: z.string().nullable().optional(),
});

/** An envelope that has arrived at a recipient; repeats are lines of their own. */
const deliveredShape = z.strictObject({
  kind: z.literal("delivered"),
  recipient_id: id,
  channel_id: id,
  envelope_id: id,
  position: z.int().min(1).optional(),
});

/** A turn that an agent has taken; `envelope_id` is its answer, null when it was silent. */
const turnShape = z.strictObject({
  kind: z.literal("turn"),
  agent_id: id,
  channel_id: id,
  trigger_id: id,
  envelope_id: id.nullable(),
});

/** From here on the recipient says to have seen everything that was for it. */
const caughtUpShape = z.strictObject({ kind: z.literal("caught_up"), recipient_id: id });

export const journalLineShape = z.discriminatedUnion("kind", [
  postedShape,
  deliveredShape,
  turnShape,
  caughtUpShape,
]);

/** What a client writes down of what it has sent, got and done, in the order in which it happened. */
export type JournalLine = z.infer<typeof journalLineShape>;

/** A journal line and where it stands. */
export type JournalEntry = JournalLine & { readonly where: string };

/** The entries of one kind. */
export function entriesOf<K extends JournalLine["kind"]>(
  entries: readonly JournalEntry[],
  kind: K,
): Extract<JournalEntry, { readonly kind: K }>[] {
  return entries.filter((entry) => entry.kind === kind) as Extract<
    JournalEntry,
    { readonly kind: K }
  >[];
}

/** A journal as far as it could be read, and what was wrong with its lines. */
export interface ReadJournal {
  readonly entries: readonly JournalEntry[];
  readonly findings: readonly Finding[];
}

/**
 * Reads a journal. The last line may be half a line, as a killed process leaves it.
 *
 * @param name - for the findings
 * @param text - the whole file
 */
export function readJournal(name: string, text: string): ReadJournal {
  const entries: JournalEntry[] = [];
  const findings: Finding[] = [];
  const lines = text.split("\n");
  lines.pop();
  for (const [index, line] of lines.entries()) {
    const where = `${name}:${index + 1}`;
    const parsed = journalLineShape.safeParse(parse(line));
    if (parsed.success) entries.push({ ...parsed.data, where });
    else findings.push({ kind: "format", where, message: "the line is none of a journal" });
  }
  return { entries, findings };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
