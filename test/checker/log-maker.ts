import { chainHashOf, contentDigestOf } from "./rules/chain.js";

/** Fields of an envelope that a plant sets itself; everything else is filled in as a hub would. */
export type EnvelopeFields = Readonly<Record<string, unknown>>;

/** A channel under construction. */
export interface MadeChannel {
  readonly id: string;
  readonly metadata: Record<string, unknown>;
  /** Appends anything, sealed as a hub would seal it. Returns the envelope's id. */
  append(
    eventType: string,
    data: Readonly<Record<string, unknown>>,
    fields?: EnvelopeFields,
  ): string;
  /** Appends a text. */
  say(senderId: string, text: string, fields?: EnvelopeFields): string;
  /** Appends the end and sets the metadata to it. */
  close(reason: string): string;
}

/** Options of {@link LogMaker.open}. */
export interface MadeOptions {
  readonly knobs?: Readonly<Record<string, unknown>>;
  readonly requiredAcks?: number;
  /** Default true. False leaves the channel without an envelope, to be filled by hand. */
  readonly opened?: boolean;
}

/** Makes exports by hand, sound ones and others. */
export interface LogMaker {
  agent(id: string, fields?: Readonly<Record<string, unknown>>, rule?: unknown): void;
  open(type: string, members: readonly string[], options?: MadeOptions): MadeChannel;
  settled(agentId: string, channelId: string, fields?: Readonly<Record<string, unknown>>): void;
  /** The lines of the export. */
  lines(): string[];
}

/** Makes a {@link LogMaker}. */
export function createLogMaker(): LogMaker {
  const agents: object[] = [];
  const channels: object[] = [];
  const envelopes: object[] = [];
  const deliveries: object[] = [];
  let rows = 0;

  const idOf = (number: number): string => number.toString(16).padStart(32, "0");
  const open: LogMaker["open"] = (
    type,
    members,
    { knobs = {}, requiredAcks, opened = true } = {},
  ) => {
    const id = idOf(1_000_000 + channels.length);
    const [creator = "", ...invitees] = members;
    const metadata: Record<string, unknown> = {
      channel_id: id,
      manifest: { type, version: 1 },
      creator_id: creator,
      participants: members.map((agent_id, order) => ({ agent_id, order })),
      state: opened ? "active" : "pending",
      close_reason: "",
      required_acks: requiredAcks ?? null,
      knobs,
    };
    channels.push({ kind: "channel", channel: metadata });
    let previous = "";
    let position = 0;
    const channel: MadeChannel = {
      id,
      metadata,
      append(event_type, event_data, fields = {}) {
        rows += 1;
        position += 1;
        const whole = {
          envelope_id: idOf(2_000_000 + rows),
          channel_id: id,
          sender_id: creator,
          audience: null,
          event_type,
          event_data,
          causation_id: null,
          idempotency_key: null,
          created_at: "2026-01-01T00:00:00+00:00",
          ttl_seconds: null,
          ...fields,
        };
        const content_digest = contentDigestOf(event_data);
        const hash = chainHashOf(previous, whole, { contentDigest: content_digest, position });
        previous = hash;
        envelopes.push({
          kind: "envelope",
          row: rows,
          position,
          hash,
          content_digest,
          envelope: whole,
        });
        return whole.envelope_id;
      },
      say: (sender_id, text, fields = {}) =>
        channel.append("ag2.msg.text", { text }, { sender_id, ...fields }),
      close(reason) {
        metadata["state"] = "closed";
        metadata["close_reason"] = reason;
        return channel.append(
          "ag2.channel.closed",
          { reason, channel_id: id },
          { audience: [...members] },
        );
      },
    };
    if (!opened) return channel;
    for (const invitee of invitees) {
      channel.append("ag2.channel.invite", { channel_id: id }, { audience: [invitee] });
    }
    const enough = invitees.slice(0, requiredAcks ?? invitees.length);
    for (const sender_id of enough) {
      channel.append("ag2.channel.invite.ack", { channel_id: id }, { sender_id });
    }
    channel.append("ag2.channel.opened", { channel_id: id }, { audience: [...members] });
    return channel;
  };

  return {
    agent(agent_id, fields = {}, rule = null) {
      const passport = { agent_id, name: agent_id, kind: null, ...fields };
      agents.push({ kind: "agent", passport, resume: null, rule, skill: null });
    },
    open,
    settled(agent_id, channel_id, fields = {}) {
      const record = { cursor: "", floor: 0, above: [], settled: false, ...fields };
      deliveries.push({ kind: "delivery", agent_id, channel_id, ...record });
    },
    lines() {
      const header = {
        format: "colloquy-wal",
        version: 1,
        exported_at: "2026-01-01T00:00:00+00:00",
      };
      const end = {
        kind: "end",
        agents: agents.length,
        channels: channels.length,
        envelopes: envelopes.length,
        deliveries: deliveries.length,
      };
      const all = [header, ...agents, ...channels, ...envelopes, ...deliveries, end];
      return all.map((line) => JSON.stringify(line));
    },
  };
}
