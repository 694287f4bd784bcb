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
  const flush = (): void => {
    const batch = items;
    items = [];
    for (let from = 0; from < batch.length; from += MAX_RECEIPTS) {
      send({ kind: "receipts", items: batch.slice(from, from + MAX_RECEIPTS) });
    }
  };
  return {
    flush,
    add(item) {
      if (profile === "ag2") {
        send({ kind: "receipt", ...item });
        return;
      }
      items.push(item);
      if (items.length === 1) queueMicrotask(flush);
    },
  };
}
