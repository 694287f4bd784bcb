import type { Delivery, HubFrame, LinkPeer, WireProfile } from "@colloquy/protocol";

/** What a {@link FakePeer} is like; everything has a default. */
export interface FakePeerOptions {
  /** Default `colloquy.v1`. */
  readonly profile?: WireProfile | undefined;
  /** Default true. */
  readonly loopback?: boolean | undefined;
  /** Default `fake`. */
  readonly label?: string | undefined;
}

/** One step of a fake peer's life, in order. */
export type PeerStep =
  | { readonly kind: "frame"; readonly frame: HubFrame }
  | { readonly kind: "notify"; readonly delivery: Delivery }
  | { readonly kind: "cork" }
  | { readonly kind: "uncork" };

/** A far side that keeps what it is sent. */
export interface FakePeer extends LinkPeer {
  /** May be set: bytes that this peer pretends not to have read. */
  bufferedBytes: number;
  /** May be set: what `notify` throws; null for nothing. */
  failNotify: Error | null;
  /** Everything that happened, oldest first. */
  readonly steps: readonly PeerStep[];
  readonly frames: readonly HubFrame[];
  readonly notifies: readonly Delivery[];
  /** Ids of the envelopes that it was notified of, in order. */
  readonly notifiedIds: readonly string[];
  /** The code and reason with which it was closed first; null while it is open. */
  readonly closed: { readonly code: number; readonly reason: string } | null;
  /** Forgets steps, not the close. */
  clear(): void;
}

/** Makes an open {@link FakePeer}. What it is sent after its close is not kept. */
export function createFakePeer(options: FakePeerOptions = {}): FakePeer {
  let steps: PeerStep[] = [];
  let closed: FakePeer["closed"] = null;
  const keep = (step: PeerStep): void => {
    if (closed === null) steps.push(step);
  };
  const notifies = (): Delivery[] =>
    steps.flatMap((step) => (step.kind === "notify" ? [step.delivery] : []));
  return {
    profile: options.profile ?? "colloquy.v1",
    loopback: options.loopback ?? true,
    label: options.label ?? "fake",
    bufferedBytes: 0,
    failNotify: null,
    get steps() {
      return steps;
    },
    get frames() {
      return steps.flatMap((step) => (step.kind === "frame" ? [step.frame] : []));
    },
    get notifies() {
      return notifies();
    },
    get notifiedIds() {
      return notifies().map((delivery) => delivery.envelope.envelope_id);
    },
    get closed() {
      return closed;
    },
    send: (frame) => keep({ kind: "frame", frame }),
    notify(delivery) {
      if (this.failNotify !== null) throw this.failNotify;
      keep({ kind: "notify", delivery });
    },
    close(code, reason) {
      closed ??= { code, reason };
    },
    cork: () => keep({ kind: "cork" }),
    uncork: () => keep({ kind: "uncork" }),
    clear() {
      steps = [];
    },
  };
}
