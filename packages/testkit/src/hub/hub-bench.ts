import {
  type ChannelMetadata,
  createPassport,
  createResume,
  createRule,
  type Envelope,
  type EnvelopeDraft,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_CHANNEL_INVITE_REJECT,
  EV_TEXT,
  type Passport,
  type PassportKind,
  type Resume,
  type Rule,
  type RuleInput,
} from "@colloquy/protocol";

/** What the bench needs of a hub; `Hub` of `@colloquy/hub` fits. */
export interface BenchHub<P> {
  registerIdentity(input: {
    readonly passport: Passport;
    readonly resume: Resume;
    readonly rule?: Rule | null | undefined;
  }): Promise<Passport>;
  createChannel(input: {
    readonly creator_id: string;
    readonly manifest_type: string;
    readonly participants: readonly string[];
    readonly knobs?: Readonly<Record<string, unknown>> | null | undefined;
  }): Promise<ChannelMetadata>;
  post(draft: EnvelopeDraft): Promise<P>;
  readWal(channelId: string): Promise<readonly Envelope[]>;
  addListener(listener: { onEnvelopePosted?(envelope: Envelope): void }): void;
}

/** How an agent of the bench answers invitations. */
export type InviteManners = "ack" | "reject" | "silent";

/** Options of {@link HubBench.join}. */
export interface JoinOptions {
  readonly kind?: PassportKind;
  readonly rule?: RuleInput;
  /** Default: `ack`. */
  readonly invites?: InviteManners;
}

/** Agents that live beside a hub in one process, without a client: they answer invitations and say what they are told to. */
export interface HubBench<P> {
  /** Registers an agent and returns its id. */
  join(name: string, options?: JoinOptions): Promise<string>;
  /** Takes on an agent that is registered already. */
  adopt(agentId: string, invites?: InviteManners): void;
  /** Opens a channel; resolves when it is active. */
  open(
    type: string,
    creatorId: string,
    others: readonly string[],
    options?: Readonly<Record<string, unknown>>,
  ): Promise<ChannelMetadata>;
  /** Posts a text. */
  say(
    channelId: string,
    senderId: string,
    text: string,
    fields?: Partial<EnvelopeDraft>,
  ): Promise<P>;
  /** What was said in a channel, oldest first. */
  texts(channelId: string): Promise<string[]>;
  /** Event types of a channel's WAL, oldest first. */
  events(channelId: string): Promise<string[]>;
}

/** Makes a {@link HubBench} for a hub. */
export function createHubBench<P>(hub: BenchHub<P>): HubBench<P> {
  const manners = new Map<string, InviteManners>();
  const answer = (invitation: Envelope, inviteeId: string): void => {
    const kind = manners.get(inviteeId) ?? "silent";
    if (kind === "silent") return;
    void hub
      .post({
        channel_id: invitation.channel_id,
        sender_id: inviteeId,
        event_type: kind === "ack" ? EV_CHANNEL_INVITE_ACK : EV_CHANNEL_INVITE_REJECT,
        event_data: {
          channel_id: invitation.channel_id,
          ...(kind === "reject" ? { reason: "not now" } : {}),
        },
        causation_id: invitation.envelope_id,
      })
      // A channel that has closed meanwhile wants no answer.
      .catch(() => undefined);
  };
  hub.addListener({
    onEnvelopePosted(envelope) {
      if (envelope.event_type !== EV_CHANNEL_INVITE) return;
      for (const inviteeId of envelope.audience ?? []) answer(envelope, inviteeId);
    },
  });

  return {
    async join(name, { kind, rule, invites = "ack" } = {}) {
      const passport = await hub.registerIdentity({
        passport: createPassport({ name, ...(kind === undefined ? {} : { kind }) }),
        resume: createResume({}),
        rule: rule === undefined ? null : createRule(rule),
      });
      const id = passport.agent_id ?? "";
      manners.set(id, invites);
      return id;
    },
    adopt: (agentId, invites = "ack") => void manners.set(agentId, invites),
    open: (type, creatorId, others, options = {}) =>
      hub.createChannel({
        creator_id: creatorId,
        manifest_type: type,
        participants: others,
        ...options,
      }),
    say: (channelId, senderId, text, fields = {}) =>
      hub.post({
        channel_id: channelId,
        sender_id: senderId,
        event_type: EV_TEXT,
        event_data: { text },
        ...fields,
      }),
    async texts(channelId) {
      const wal = await hub.readWal(channelId);
      return wal
        .filter(({ event_type }) => event_type === EV_TEXT)
        .map(({ event_data }) => String(event_data["text"]));
    },
    async events(channelId) {
      return (await hub.readWal(channelId)).map(({ event_type }) => event_type);
    },
  };
}
