import type { DeltaFrame, Envelope, Passport, Resume, Rule } from "@colloquy/protocol";
import type { StopReason } from "../agent/participant-client.js";

/** Who a participant is, and how it proves that. */
export interface Identity {
  /** As the hub stamped it. */
  readonly passport: Passport & { readonly agent_id: string };
  readonly resume: Resume;
  readonly rule: Rule;
  /** The scheme with which it was registered, and the credential given here; empty for none. */
  readonly auth: { readonly scheme: string; readonly claim: Readonly<Record<string, unknown>> };
}

/** An envelope that has come for a participant. */
export interface DeliveredEnvelope {
  readonly envelope: Envelope;
  readonly position: number | null;
  readonly attempt: number;
}

/** Sends a receipt of a delivered envelope, over whichever link is up. */
export type SettleDelivery = (status: "ack" | "nack" | "taken_up", reason?: string) => void;

/** A participant as its hub client sees it. */
export interface HostedParticipant {
  readonly agentId: string;
  readonly name: string;
  readonly auth: Identity["auth"];
  readonly isActive: boolean;
  receive(delivered: DeliveredEnvelope, settle: SettleDelivery): void;
  /** A piece of an answer in some channel; passed on when the participant is known to be in it. */
  receiveDelta(delta: DeltaFrame): void;
  /** Ends it here. Harmless when repeated. */
  stop(reason: StopReason, error?: Error): void;
  /** From now on nothing new is handled. */
  pause(): void;
  /** Resolves when nothing is being handled. */
  idle(): Promise<void>;
}

/** A participant's client, and the side of it that its hub client drives. */
export interface Hosted<C> {
  readonly client: C;
  readonly hosted: HostedParticipant;
}
