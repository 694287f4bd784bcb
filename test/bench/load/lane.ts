/** One connection that carries numbered messages, some at a time. */
export interface Lane {
  /** Sends message number `sequence`. */
  post(sequence: number): void;
  /** Called when a message has come round; set by whoever drives the lane. */
  onDone: (sequence: number) => void;
  /** Called when the lane is of no more use. */
  onFailed: (error: Error) => void;
  close(): void;
}

/** The callbacks of a lane that nobody drives. */
export const IDLE_CALLBACKS = {
  onDone: () => undefined,
  onFailed: (error: Error) => {
    throw error;
  },
};
