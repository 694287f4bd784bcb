import type { RecordWrite } from "@colloquy/protocol";
import type { Committer } from "../commit/committer.js";
import type { AuditedWork } from "../observe/audit-log.js";

/** What follows once the fate of staged records is known; exactly one of the two is called. */
export interface RecordsFate {
  /** They are durable. Runs before the promise resolves. */
  onCommitted(): void;
  /** Nothing of them is stored: take back what was done in memory. */
  onUndone(): void;
  /** Record of it for the audit log, durable with it. */
  readonly audited?: AuditedWork;
}

/** Stages records; resolves when they are durable and rejects with the committer's error. */
export async function stageRecords(
  committer: Pick<Committer, "stage">,
  records: readonly RecordWrite[],
  fate: RecordsFate,
): Promise<void> {
  let known = false;
  const undo = (): void => {
    if (known) return;
    known = true;
    fate.onUndone();
  };
  const onCommitted = (): void => {
    known = true;
    fate.audited?.committed();
    fate.onCommitted();
  };
  const audit = fate.audited?.audit;
  try {
    await committer.stage({
      records,
      ...(audit === undefined ? {} : { audit }),
      onCommitted,
      onFailed: undo,
    });
  } catch (error) {
    // A committer that has stopped refuses at once and need not have called `onFailed`.
    undo();
    throw error;
  }
}
