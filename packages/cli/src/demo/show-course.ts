import type { ChannelMetadata } from "@colloquy/protocol";
import { escapeText } from "../output/escape-text.js";
import { countOf } from "../output/format-values.js";
import type { Output } from "../output/output.js";
import { CAST_NAMES } from "./cast.js";
import type { CastEvent } from "./cast-processes.js";
import { nextCommands } from "./next-commands.js";
import { endedWell, SCENES } from "./scenes.js";
import { storyOf } from "./stories/stories.js";

/** Says where the hub is, and what is about to be played. */
export async function showBeginning(
  output: Output,
  { url, data, round }: { readonly url: string; readonly data: string; readonly round: number },
): Promise<void> {
  if (output.json) return await output.value({ hub: { url, data, round, pid: process.pid } });
  const { styles } = output;
  const agents = countOf(CAST_NAMES.length, "agent");
  await output.lines(
    `Colloquy listens on ${styles.strong(url)} and writes to ${styles.strong(escapeText(data))}.`,
    `Round ${round}: ${storyOf(round).title}. ${agents} join over WebSocket, each from a process of its own.`,
  );
}

/** Says what befell an agent process. */
export async function showCastEvent(output: Output, cast: CastEvent): Promise<void> {
  if (output.json) return await output.value({ agent: cast });
  const { name, pid, event, how } = cast;
  const { styles } = output;
  switch (event) {
    case "attached":
      return await output.lines(styles.faint(`${name} joins (process ${pid})`));
    case "restarted":
      return await output.lines(styles.good(`${name} is back (process ${pid})`));
    case "died":
      return await output.lines(
        styles.caution(`${name} has died (process ${pid}: ${how}) and is started again`),
      );
    case "given_up": {
      const fate = `${name} has died (process ${pid}: ${how}) too often and is not started again`;
      return await output.lines(styles.bad(fate));
    }
  }
}

/** A round that is over. */
export interface PlayedRound {
  readonly channels: readonly ChannelMetadata[];
  readonly round: number;
  readonly data: string;
  readonly server: { readonly url: string; readonly port: number };
  /** True when the hub ends with the round. */
  readonly once: boolean;
}

/** Says how the channels of a round ended, and which commands look at them. */
export async function showEnding(output: Output, played: PlayedRound): Promise<void> {
  const { channels, round, data, server, once } = played;
  const commands = nextCommands(channels, { data, server, isUp: !once });
  if (output.json) {
    const ok = channels.filter(endedWell).length === SCENES.length;
    const ended = channels.map(({ channel_id, manifest, state, close_reason }) => {
      return { channel_id, type: manifest.type, state, close_reason };
    });
    const texts = commands.map(({ command }) => command);
    return await output.value({ round: { round, ok, channels: ended, commands: texts } });
  }
  const width = Math.max(...commands.map(({ command }) => command.length));
  const where = once
    ? `Round ${round} is over; all of it is in ${data}.`
    : `Round ${round} is over. The hub stays up at ${server.url} and keeps all in ${data}; Ctrl-C ends it.`;
  await output.lines(
    "",
    escapeText(where),
    once ? "Look at it from this folder:" : "Try these in another terminal, in this folder:",
    "",
    ...commands.map(
      ({ command, shows }) =>
        `  ${escapeText(command).padEnd(width)}  ${output.styles.faint(shows)}`,
    ),
    "",
  );
}
