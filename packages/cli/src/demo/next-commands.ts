import type { ChannelMetadata } from "@colloquy/protocol";
import { DEFAULT_DATA_FILE } from "../config/serve-settings.js";
import { DEMO_PORT } from "./start-demo-hub.js";

/** Characters of an id's end that the commands are given. */
const ID_TAIL = 8;

/** A command to try, and what it shows. */
export interface NextCommand {
  readonly command: string;
  readonly shows: string;
}

/** Where the demonstration runs. */
export interface DemoPlace {
  /** Data file as it was named. */
  readonly data: string;
  readonly server: { readonly url: string; readonly port: number };
  /** True while the hub can be joined. */
  readonly isUp: boolean;
}

/**
 * Commands that look at a round, ready to be copied.
 *
 * @param channels - the channels of the round
 */
export function nextCommands(
  channels: readonly ChannelMetadata[],
  { data, server, isUp }: DemoPlace,
): NextCommand[] {
  const idOf = (type: string): string =>
    channels.findLast(({ manifest }) => manifest.type === type)?.channel_id.slice(-ID_TAIL) ?? "";
  const file = data === DEFAULT_DATA_FILE ? "" : ` --data ${quoteWord(data)}`;
  const colloquy = (rest: string): string => `npx colloquy ${rest}${file}`;
  const discussion = idOf("discussion");
  const replay = `replay ${discussion} --view named_transcript --as Chiara`;
  const reading = [
    { command: colloquy("wal list"), shows: "every channel" },
    { command: colloquy(`wal read ${discussion}`), shows: "the discussion, envelope by envelope" },
    {
      command: colloquy(`replay ${idOf("workflow")} --at 12`),
      shows: "the workflow's state after its twelfth envelope",
    },
    { command: colloquy(replay), shows: "the discussion as Chiara's model would get it" },
    { command: colloquy("wal verify"), shows: "that nothing was changed, lost or out of turn" },
  ];
  if (!isUp) return reading;
  const address = server.port === DEMO_PORT ? "" : ` ${server.url}`;
  return [
    ...reading,
    { command: colloquy("wal tail"), shows: "what happens, as it happens" },
    {
      command: `npx tsx examples/join-the-demo/main.ts${address}`,
      shows: "ten lines of code that join and talk to Chiara",
    },
  ];
}

/** A word as a shell takes it. */
function quoteWord(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
