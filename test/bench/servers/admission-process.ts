import { createDefaultAdapters } from "@colloquy/adapters";
import { type Hub, openHub } from "@colloquy/hub";
import { EV_TEXT } from "@colloquy/protocol";
import { createMemoryStore } from "@colloquy/storage-memory";
import { serveCommands } from "../processes/serve-commands.js";
import { bindLocally } from "./local-members.js";
import { NOTIFIES_PER_CONVERSATION, openConversation } from "./open-channels.js";
import { registerAgents } from "./register.js";

/** How much to post, and how. */
export interface AdmissionOptions {
  readonly envelopes: number;
  /** Posts whose promise is awaited at one time. */
  readonly inFlight: number;
  /** Share of the envelopes that counts as an end of the run. */
  readonly end: number;
}

/** What a run gave. */
export interface AdmissionRun {
  readonly perSecond: number;
  /** Microseconds each, over the first and the last of them. */
  readonly firstMicros: number;
  readonly lastMicros: number;
}

/** Characters of each text. */
const TEXT = "What was said yesterday about the weather still holds today. ".repeat(2);

const commands = {
  /** Posts texts in a new channel of a new hub. */
  async admit({ envelopes, inFlight, end }: AdmissionOptions): Promise<AdmissionRun> {
    const hub = await openHub({ store: createMemoryStore(), adapters: createDefaultAdapters() });
    const [speaker, hearer] = await registerAgents(hub, "agent", 2);
    if (speaker === undefined || hearer === undefined) throw new Error("there are no agents");
    const members = await bindLocally(hub, [speaker, hearer]);
    const channelId = await openConversation(hub, speaker, hearer);
    await members.waitFor(NOTIFIES_PER_CONVERSATION);
    const times = await postAll(hub, { channelId, senderId: speaker.id, envelopes, inFlight });
    await members.waitFor(NOTIFIES_PER_CONVERSATION + envelopes);
    await hub.close();
    const span = Math.floor(envelopes * end);
    const micros = (from: number, to: number): number =>
      (((times[to] ?? 0) - (times[from] ?? 0)) * 1000) / (to - from);
    return {
      perSecond: 1e6 / micros(0, envelopes),
      firstMicros: micros(0, span),
      lastMicros: micros(envelopes - span, envelopes),
    };
  },
};

interface Posting extends Omit<AdmissionOptions, "end"> {
  readonly channelId: string;
  readonly senderId: string;
}

/** Gives the milliseconds at which the first post began and each was done, in order. */
async function postAll(
  hub: Hub,
  { channelId, senderId, envelopes, inFlight }: Posting,
): Promise<Float64Array> {
  const times = new Float64Array(envelopes + 1);
  let posted = 0;
  let done = 0;
  const post = async (): Promise<void> => {
    while (posted < envelopes) {
      posted += 1;
      await hub.post({
        channel_id: channelId,
        sender_id: senderId,
        event_type: EV_TEXT,
        event_data: { text: TEXT },
      });
      done += 1;
      times[done] = performance.now();
    }
  };
  times[0] = performance.now();
  await Promise.all(Array.from({ length: inFlight }, post));
  return times;
}

/** What the process that admits can be asked to do. */
export type AdmissionCommands = typeof commands;

serveCommands(commands);
