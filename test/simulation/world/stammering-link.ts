import type { ClientFrame, Link, ReceiptItem } from "@colloquy/protocol";
import type { Dice } from "../dice.js";

/** Receipts of a connection that may be given once more. */
const REMEMBERED = 20;

/**
 * Wraps a link so that receipts are sometimes given twice, and old ones once more later on.
 *
 * @param rate - chance per receipt frame
 */
export function stammeringLink(inner: Link, dice: Dice, rate: () => number): Link {
  const given: ReceiptItem[] = [];
  const remember = (item: ReceiptItem): void => {
    given.push(item);
    if (given.length > REMEMBERED) given.shift();
  };
  const again = (frame: ClientFrame): ClientFrame[] => {
    if (frame.kind !== "receipt" && frame.kind !== "receipts") return [];
    const { kind: _kind, ...item } = frame.kind === "receipt" ? frame : { kind: "" };
    for (const one of frame.kind === "receipts" ? frame.items : [item as ReceiptItem]) {
      remember(one);
    }
    if (!dice.chance(rate())) return [];
    const old = dice.pick(given.filter(({ status }) => status === "ack"));
    return dice.chance(0.5) || old === undefined ? [frame] : [{ kind: "receipt", ...old }];
  };
  return {
    remote: inner.remote,
    async connect(handlers, signal) {
      const connection = await inner.connect(handlers, signal);
      return {
        profile: connection.profile,
        get bufferedBytes() {
          return connection.bufferedBytes;
        },
        send(frame) {
          connection.send(frame);
          for (const repeat of again(frame)) connection.send(repeat);
        },
        close: (code, reason) => connection.close(code, reason),
      };
    },
  };
}
