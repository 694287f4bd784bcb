/** An envelope that has waited for a connected recipient longer than any other. */
export interface DeliveryLag {
  readonly recipientId: string;
  readonly channelId: string;
  readonly envelopeId: string;
  /** Epoch milliseconds since when it could have been sent. */
  readonly since: number;
}

/** A turn that has begun and has neither been answered nor ended. */
export interface RunningTurn {
  readonly agentId: string;
  readonly channelId: string;
  readonly envelopeId: string;
  /** Epoch milliseconds at which it was taken up. */
  readonly since: number;
}
