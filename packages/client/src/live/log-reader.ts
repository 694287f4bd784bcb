import type { Envelope } from "@colloquy/protocol";
import type { HubVerbs } from "../verbs/hub-verbs.js";

/** Takes an envelope and its position in the channel. */
type Take = (envelope: Envelope, position: number) => void;

/** Reads a channel's log on from where it stands, one reading at a time. */
export interface LogReader {
  /** Position of the newest envelope that was taken, or passed over as not visible. */
  readonly position: number;
  /** An envelope has come. Taken at once when it is the next; otherwise what lies between is read first. */
  arrived(envelope: Envelope, position: number | null): void;
  /** Something may have been missed up to a position, or anywhere: reads on unless it stands there already. */
  readOn(upTo?: number | null): void;
}

/** Input of {@link createLogReader}. */
export interface LogReaderOptions {
  readonly hub: Pick<HubVerbs, "readPage">;
  readonly channelId: string;
  /** Newest envelopes with which it begins. */
  readonly last: number;
  readonly take: Take;
  /** A reading has begun. */
  onBegin(): void;
  /** It stands at the end of the log, or a reading has failed; the next one is tried at the next need. */
  onEnd(error: Error | null): void;
}

/** Makes a {@link LogReader}, which begins with the newest envelopes. Rejects when these cannot be read. */
export async function createLogReader(options: LogReaderOptions): Promise<LogReader> {
  const { hub, channelId, take, onBegin, onEnd } = options;
  let position = 0;
  let isReading = false;
  let isWanted = false;

  const readPages = async (range: { after: number } | { last: number }): Promise<void> => {
    let page = await hub.readPage(channelId, range);
    for (;;) {
      page.envelopes.forEach((envelope, index) => {
        const at = page.positions[index] ?? 0;
        if (at > position) take(envelope, at);
      });
      position = Math.max(position, page.next ?? page.head);
      if (page.next === null) return;
      page = await hub.readPage(channelId, { after: page.next });
    }
  };
  const readAll = async (): Promise<void> => {
    isReading = true;
    onBegin();
    let failure: Error | null = null;
    try {
      while (isWanted) {
        isWanted = false;
        await readPages({ after: position });
      }
    } catch (error) {
      isWanted = false;
      failure = error instanceof Error ? error : new Error(String(error));
    }
    isReading = false;
    onEnd(failure);
  };
  const readOn: LogReader["readOn"] = (upTo = null) => {
    if (upTo !== null && upTo <= position) return;
    isWanted = true;
    if (!isReading) void readAll();
  };
  await readPages({ last: options.last });
  return {
    get position() {
      return position;
    },
    arrived(envelope, at) {
      if (isReading || at !== position + 1) return readOn(at);
      position = at;
      take(envelope, at);
    },
    readOn,
  };
}
