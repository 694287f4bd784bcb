import type { Finding } from "./finding.js";
import { checkDelivered } from "./journal/check-delivered.js";
import { checkPosted } from "./journal/check-posted.js";
import { checkTaken } from "./journal/check-taken.js";
import { type JournalEntry, readJournal } from "./journal/journal.js";
import type { Log } from "./log/log.js";
import { readLog } from "./log/read-log.js";
import { checkChain } from "./rules/chain.js";
import { checkCourses } from "./rules/course.js";
import { checkMembership } from "./rules/membership.js";
import { checkOrder } from "./rules/order.js";
import { checkRepeats } from "./rules/repeats.js";
import { checkSettled } from "./rules/settled.js";
import { checkTurns } from "./rules/turns.js";

/** What a log alone has to obey. */
const LOG_RULES: readonly ((log: Log) => Iterable<Finding>)[] = [
  checkOrder,
  checkChain,
  checkMembership,
  checkCourses,
  checkTurns,
  checkRepeats,
  checkSettled,
];

/** What a log and a journal have to obey together. */
const JOURNAL_RULES: readonly ((
  log: Log,
  journal: readonly JournalEntry[],
) => Iterable<Finding>)[] = [checkPosted, checkDelivered, checkTaken];

/** A journal by the name of its file. */
export interface JournalText {
  readonly name: string;
  readonly text: string;
}

/** What was looked at, and what was found. */
export interface Verdict {
  readonly findings: readonly Finding[];
  readonly channels: number;
  readonly envelopes: number;
  readonly journalLines: number;
}

/**
 * Checks an exported log, and journals of clients against it.
 *
 * Everything here is written from the documentation of the format; nothing of the hub is used, so
 * that a mistake of the hub cannot be made twice.
 *
 * @param name - of the export, for the findings
 */
export async function check(
  name: string,
  lines: AsyncIterable<string> | Iterable<string>,
  journals: readonly JournalText[] = [],
): Promise<Verdict> {
  const { log, findings } = await readLog(name, lines);
  const found = [...findings];
  for (const rule of LOG_RULES) found.push(...rule(log));
  let journalLines = 0;
  for (const journal of journals) {
    const read = readJournal(journal.name, journal.text);
    journalLines += read.entries.length;
    found.push(...read.findings);
    for (const rule of JOURNAL_RULES) found.push(...rule(log, read.entries));
  }
  const { channels, envelopes } = log;
  return { findings: found, channels: channels.size, envelopes: envelopes.length, journalLines };
}
