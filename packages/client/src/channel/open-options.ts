/** What kind of channel to open, and with whom. */
export interface OpenOptions {
  /** Channel type, such as `conversation`. */
  readonly type: string;
  /** Name or id of the one, or of all, to invite. The opener takes part without being named. */
  readonly target: string | readonly string[];
  /** Version of the type; default 1. */
  readonly version?: number | undefined;
  /** Life of the channel: seconds, or text such as `2h`; absent: the opener's rule; 0 or less: no end. */
  readonly ttl?: string | number | undefined;
  readonly knobs?: Readonly<Record<string, unknown>> | undefined;
  /** What the channel is for; becomes the label `intent`. */
  readonly intent?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Channel in whose course this one is opened; the opener must take part in it. */
  readonly parent?: string | undefined;
  /** How many invitees must accept; absent: all. */
  readonly requiredAcks?: number | undefined;
}
