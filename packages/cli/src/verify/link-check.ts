import type { ChannelHead, StoredEnvelope } from "@colloquy/protocol";
import type { Finding, FindingKind } from "./finding.js";

/** Checks that the envelopes of a channel hang together as the store says. */
export interface LinkCheck {
  take(stored: StoredEnvelope): Finding[];
  /** After the last envelope. */
  end(): Finding[];
}

/**
 * Makes a {@link LinkCheck}.
 *
 * @param head - the stored end of the channel, read before its envelopes
 */
export function createLinkCheck(channelId: string, head: ChannelHead): LinkCheck {
  let row = 0;
  let position = 0;
  return {
    take(stored) {
      const findings: Finding[] = [];
      if (stored.prev_row !== row) {
        const message = `it points back to row ${stored.prev_row}, the envelope before is in row ${row}`;
        findings.push(at(stored, "row", message));
      }
      if (stored.row <= row) {
        findings.push(at(stored, "row", `row ${stored.row} does not stand behind row ${row}`));
      }
      if (stored.position === head.position && differs(stored, head)) {
        findings.push(at(stored, "head", "it is not the envelope that the channel's end names"));
      }
      row = stored.row;
      position = stored.position;
      return findings;
    },
    end() {
      if (position >= head.position) return [];
      const message = `the envelopes end at position ${position}, the channel at ${head.position}`;
      return [ofChannel(channelId, "head", message)];
    },
  };
}

/** A finding about one envelope. */
export function at(stored: StoredEnvelope, kind: FindingKind, message: string): Finding {
  const { channel_id, position, row, envelope_id } = stored;
  return { kind, channel_id, position, row, envelope_id, message };
}

/** A finding about a channel as a whole. */
export function ofChannel(channelId: string, kind: FindingKind, message: string): Finding {
  return { kind, channel_id: channelId, position: 0, row: 0, envelope_id: "", message };
}

function differs(stored: StoredEnvelope, head: ChannelHead): boolean {
  return stored.row !== head.row || stored.hash !== head.hash;
}
