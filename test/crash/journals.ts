import type { JournalText } from "../checker/check.js";
import type { JournalLine } from "../checker/journal/journal.js";

/** Journals as files, in which every recipient says at the end to have caught up. */
export function readJournals(journals: ReadonlyMap<string, readonly JournalLine[]>): JournalText[] {
  return [...journals].map(([name, lines]) => {
    const recipients = new Set(
      lines.flatMap((line) => (line.kind === "delivered" ? [line.recipient_id] : [])),
    );
    const caughtUp = [...recipients].map((recipient_id) => ({ kind: "caught_up", recipient_id }));
    return {
      name,
      text: [...lines, ...caughtUp].map((line) => `${JSON.stringify(line)}\n`).join(""),
    };
  });
}

/** How often recipients got what they had got before. */
export function countRepeats(journals: ReadonlyMap<string, readonly JournalLine[]>): number {
  let repeats = 0;
  for (const lines of journals.values()) {
    const seen = new Set<string>();
    for (const line of lines) {
      if (line.kind !== "delivered") continue;
      const name = `${line.recipient_id} ${line.envelope_id}`;
      if (seen.has(name)) repeats += 1;
      seen.add(name);
    }
  }
  return repeats;
}
