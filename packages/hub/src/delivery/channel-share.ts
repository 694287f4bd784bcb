/** What waits for an agent in one channel, of what counts against its inbox. */
export interface ChannelShare {
  readonly channelId: string;
  readonly pending: number;
  readonly oldestEnvelopeId: string;
}
