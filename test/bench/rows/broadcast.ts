import { join } from "node:path";
import { createEnvelope, EV_TEXT, formatTimestamp } from "@colloquy/protocol";
import type { ReceiptTime } from "../load/circle.js";
import { atLeast } from "../report/measurement.js";
import { ratios } from "../report/statistics.js";
import { interleave } from "./interleave.js";
import type { Row } from "./row.js";
import { type Processes, withProcesses } from "./with-processes.js";

/** Characters of the broadcast text; what the load says has as many. */
const TEXT_LENGTH = 143;

interface Round {
  /** Milliseconds from speaking until everybody had heard, per broadcast. */
  readonly ms: number;
  /** Processor time of the server per recipient, in microseconds. */
  readonly serverMicros: number;
}

/** One text to 1,000 participants, each on its own connection, beside a bare loop of `ws` sends. */
export const broadcast: Row = {
  id: "broadcast",
  run: (context) =>
    withProcesses(context, async (processes) => {
      const { server, load } = processes;
      const listeners = context.quick ? 100 : 1_000;
      const times = context.quick ? 3 : 20;
      const url = await server.call("openHub", { path: join(context.folder, "hub.db") });
      const circle = await server.call("openDiscussion", listeners + 1);
      const bareUrl = await server.call("listenBroadcast", {
        recipientIds: circle.members.map(({ id }) => id),
        envelopeText: sampleText(circle.channelId, circle.members[0]?.id ?? ""),
      });
      await load.call("openHubCircle", { group: "hub", url, ...circle });
      await load.call("openBareCircle", { group: "bare", url: bareUrl, ...circle });
      const speak = (group: string, receipts: ReceiptTime) => (): Promise<Round> =>
        measureRound(processes, { group, receipts, times, listeners });

      const apart = await interleave(
        context,
        speak("bare", "afterwards"),
        speak("hub", "afterwards"),
      );
      const along = await interleave(context, speak("bare", "at once"), speak("hub", "at once"));
      return [
        {
          title: `broadcast to ${listeners} ÷ bare loop, until all have heard`,
          unit: "ratio",
          rounds: ratios(apart.left.map(toMs), apart.right.map(toMs)),
          budget: atLeast(0.6),
          details: [
            ["hub, one broadcast", "ms", apart.right.map(toMs)],
            ["bare loop, one broadcast", "ms", apart.left.map(toMs)],
          ],
          note: "Receipts are sent after all have heard, and are not in the time.",
        },
        {
          title: `the same while the listeners' receipts come in`,
          unit: "ratio",
          rounds: ratios(along.left.map(toMs), along.right.map(toMs)),
          details: [
            ["hub, one broadcast", "ms", along.right.map(toMs)],
            [
              "hub, processor of the server per recipient, receipt included",
              "µs",
              along.right.map(toMicros),
            ],
            ["bare loop, the same without receipts", "µs", along.left.map(toMicros)],
          ],
        },
      ];
    }),
};

const toMs = ({ ms }: Round): number => ms;
const toMicros = ({ serverMicros }: Round): number => serverMicros;

interface RoundOptions {
  readonly group: string;
  readonly receipts: ReceiptTime;
  readonly times: number;
  readonly listeners: number;
}

async function measureRound(
  { server, load }: Processes,
  { listeners, ...options }: RoundOptions,
): Promise<Round> {
  const before = await server.call("usage", { collect: false });
  const seconds = await load.call("speak", options);
  const after = await server.call("usage", { collect: false });
  return {
    ms: (seconds * 1000) / options.times,
    serverMicros: (after.cpuMicros - before.cpuMicros) / (options.times * listeners),
  };
}

/** An envelope with as many bytes as those that the hub delivers. */
function sampleText(channelId: string, senderId: string): string {
  return JSON.stringify(
    createEnvelope({
      envelope_id: channelId,
      channel_id: channelId,
      sender_id: senderId,
      event_type: EV_TEXT,
      event_data: { text: "x".repeat(TEXT_LENGTH) },
      created_at: formatTimestamp(0),
    }),
  );
}
