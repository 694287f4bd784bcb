import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDefaultAdapters } from "@colloquy/adapters";
import { type Hub, openHub } from "@colloquy/hub";
import {
  createPassport,
  createResume,
  type Envelope,
  type EnvelopeDraft,
  EV_CHANNEL_INVITE,
  EV_CHANNEL_INVITE_ACK,
  EV_TEXT,
} from "@colloquy/protocol";
import { openSqliteStore } from "@colloquy/storage-sqlite";
import { createFakeClock, createFakeIds, type FakeClock } from "@colloquy/testkit";

/** A hub on a data file in a folder of its own, with agents that accept every invitation. */
export interface Story extends AsyncDisposable {
  readonly folder: string;
  /** The data file. */
  readonly path: string;
  readonly clock: FakeClock;
  readonly hub: Hub;
  /** Registers an agent; gives its id. */
  register(name: string): Promise<string>;
  /** Opens a channel; gives its id. */
  open(
    creator: string,
    others: readonly string[],
    type: string,
    knobs?: Record<string, unknown>,
  ): Promise<string>;
  /** Says a text, a second after whatever came before. */
  say(
    channelId: string,
    sender: string,
    text: string,
    more?: Partial<EnvelopeDraft>,
  ): Promise<string>;
  /** Closes the hub; the data file stays. */
  end(): Promise<void>;
}

/** Options of {@link startStory}. */
export interface StoryOptions {
  /** Distinguishes the ids of two stories; default 0. */
  readonly seed?: number;
  /** Envelopes between snapshots; default 3. */
  readonly snapshotEvery?: number;
}

/** Starts a {@link Story}. */
export async function startStory(options: StoryOptions = {}): Promise<Story> {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-cli-"));
  const path = join(folder, "hub.db");
  const clock = createFakeClock();
  const hub = await openHub({
    store: await openSqliteStore({ path, durability: "os", lazyDelayMs: 0 }),
    adapters: createDefaultAdapters(),
    clock,
    ids: createFakeIds(options.seed),
    limits: { snapshotEvery: options.snapshotEvery ?? 3 },
  });
  const accept = async ({ audience, channel_id }: Envelope): Promise<void> => {
    for (const sender_id of audience ?? []) {
      const event_data = { channel_id };
      await hub.postEnvelope({
        channel_id,
        sender_id,
        event_type: EV_CHANNEL_INVITE_ACK,
        event_data,
      });
    }
  };
  hub.addListener({
    onEnvelopePosted(envelope) {
      if (envelope.event_type === EV_CHANNEL_INVITE) void accept(envelope);
    },
  });
  return {
    folder,
    path,
    clock,
    hub,
    async register(name) {
      const passport = createPassport({ name });
      return (await hub.registerIdentity({ passport, resume: createResume() })).agent_id ?? "";
    },
    async open(creator_id, participants, manifest_type, knobs = {}) {
      const opening = { creator_id, participants, manifest_type, knobs };
      return (await hub.createChannel(opening)).channel_id;
    },
    say(channel_id, sender_id, text, more = {}) {
      clock.advance(1000);
      const event_data = { text };
      return hub.postEnvelope({ channel_id, sender_id, event_type: EV_TEXT, event_data, ...more });
    },
    end: () => hub.close(),
    async [Symbol.asyncDispose]() {
      await hub.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
