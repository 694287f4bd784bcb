import { ProtocolError } from "@colloquy/protocol";

/** Form of a task id: owners make them, and they end up in records, logs and labels. */
const TASK_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const SHOWN = 64;

/**
 * Checks the id of a task: 1 to 128 letters, digits, dots, underscores and hyphens, of which the
 * first is a letter or a digit.
 *
 * @throws ProtocolError
 */
export function checkTaskId(taskId: string): void {
  if (typeof taskId === "string" && TASK_ID.test(taskId)) return;
  const shown = JSON.stringify(String(taskId).slice(0, SHOWN));
  throw new ProtocolError(
    `invalid task_id: ${shown}; use 1 to 128 of A-Z a-z 0-9 . _ - and start with a letter or digit`,
  );
}
