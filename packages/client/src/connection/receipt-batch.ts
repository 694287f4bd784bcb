import {
  type ClientFrame,
  MAX_RECEIPTS,
  type ReceiptItem,
  type WireProfile,
} from "@colloquy/protocol";

/** Gathers the receipts of one tick. */
export interface ReceiptBatch {
  add(item: ReceiptItem): void;
  /** Sends what is gathered now. */
  flush(): void;
}

/**
 * Makes a {@link ReceiptBatch}: one `receipts` frame per tick under `colloquy.v1`, single frames on
 * the bare profile.
 *
 * @param send - takes the frames
 */
export function createReceiptBatch(
  profile: WireProfile,
  send: (frame: ClientFrame) => void,
): ReceiptBatch {
  let items: ReceiptItem[] = [];
  let isArmed = false;
  const flush = (): void => {
    const batch = items;
    items = [];
    isArmed = false;
    for (let from = 0; from < batch.length; from += MAX_RECEIPTS) {
      send({ kind: "receipts", items: batch.slice(from, from + MAX_RECEIPTS) });
    }
  };
  return {
    flush,
    add(item) {
      if (profile === "ag2") {
        // That profile has no word for work that begins.
        if (item.status !== "taken_up") send({ kind: "receipt", ...item });
        return;
      }
      // What is settled in the tick in which it was taken up is only settled.
      const last = items.at(-1);
      if (last?.status === "taken_up" && isSame(last, item)) items.pop();
      items.push(item);
      if (items.length === 1 && !isArmed) {
        isArmed = true;
        queueMicrotask(flush);
      }
    },
  };
}

function isSame(a: ReceiptItem, b: ReceiptItem): boolean {
  return a.envelope_id === b.envelope_id && a.recipient_id === b.recipient_id;
}
