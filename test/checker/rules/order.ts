import type { Finding } from "../finding.js";
import type { Log } from "../log/log.js";

/** Rows and ids rise over the whole log; positions count from 1 in each channel. */
export function* checkOrder(log: Log): Generator<Finding, void> {
  let row = 0;
  let id = "";
  for (const envelope of log.envelopes) {
    const { where } = envelope;
    if (envelope.row <= row) {
      yield { kind: "row", where, message: `row ${envelope.row} comes behind row ${row}` };
    }
    if (envelope.id <= id) {
      yield { kind: "id_order", where, message: `id ${envelope.id} does not sort above ${id}` };
    }
    row = envelope.row;
    id = envelope.id;
  }
  for (const channel of log.channels.values()) {
    let position = 0;
    for (const envelope of channel.envelopes) {
      if (envelope.position !== position + 1) {
        const message = `position ${envelope.position} of channel ${channel.id} follows ${position}`;
        yield { kind: "hole", where: envelope.where, message };
      }
      position = envelope.position;
    }
  }
}
