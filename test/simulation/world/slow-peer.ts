import type { LinkPeer } from "@colloquy/protocol";

/** Whether a client reads what is sent to it. */
export interface ReadingGate {
  readonly isOpen: boolean;
  shut(): void;
  /** Lets everything through that has piled up. */
  open(): void;
}

/** A {@link ReadingGate} and what it does to a peer. */
export interface SlowReader extends ReadingGate {
  /** A peer whose far side reads only while the gate is open. */
  wrap(peer: LinkPeer): LinkPeer;
}

/** Makes a {@link SlowReader}, open. */
export function createSlowReader(): SlowReader {
  const flushes = new Set<() => void>();
  let isOpen = true;

  const wrap = (peer: LinkPeer): LinkPeer => {
    let held: (() => void)[] = [];
    let bytes = 0;
    const flush = (): void => {
      const waiting = held;
      held = [];
      bytes = 0;
      for (const pass of waiting) pass();
    };
    const pass = (size: number, send: () => void): void => {
      if (isOpen && held.length === 0) {
        send();
        return;
      }
      bytes += size;
      held.push(send);
    };
    flushes.add(flush);
    return {
      profile: peer.profile,
      loopback: peer.loopback,
      label: peer.label,
      get bufferedBytes() {
        return bytes;
      },
      send: (frame) => pass(JSON.stringify(frame).length, () => peer.send(frame)),
      notify: (delivery) => pass(delivery.text.length, () => peer.notify(delivery)),
      close(code, reason) {
        flushes.delete(flush);
        held = [];
        peer.close(code, reason);
      },
      cork: () => peer.cork(),
      uncork: () => peer.uncork(),
    };
  };
  return {
    get isOpen() {
      return isOpen;
    },
    shut() {
      isOpen = false;
    },
    open() {
      isOpen = true;
      for (const flush of flushes) flush();
    },
    wrap,
  };
}
