import {
  type Envelope,
  excerptAround,
  isNetworkError,
  MAX_SEARCH_LENGTH,
  spokenText,
  type Tool,
} from "@colloquy/protocol";
import * as z from "zod";
import { defineTool, optional, unknownAction } from "./define-tool.js";
import type { NetworkPort } from "./network-port.js";
import { resolvePeerId } from "./resolve-peer.js";
import { findSaid, newestSaid } from "./said.js";

const ACTIONS = ["search", "quote"];
const DEFAULT_LIMIT = 10;

const input = z.object({
  action: z.string().describe("`search` for words, or `quote` what somebody said last."),
  query: optional(z.string(), "search: the words, in any case."),
  scope: optional(z.enum(["channel", "knowledge"]), "search: `channel` (default) or `knowledge`."),
  speaker: optional(z.string(), "quote: name or id of the speaker."),
  recent_n: optional(z.int().min(1).max(100), "quote: how many; 1 by default."),
  limit: optional(z.int().min(1).max(100), `search: ${DEFAULT_LIMIT} by default.`),
  channel_id: optional(z.string(), "The channel; the current one by default."),
});

type Args = z.output<typeof input>;

/** The tool `context`: finds again what was said in a channel, beyond what the view shows. */
export function createContextTool(port: NetworkPort): Tool {
  return defineTool({
    name: "context",
    description: "Search what was said in a channel, or quote what somebody said last.",
    input,
    async run(args) {
      if (args.action === "search") return search(port, args);
      if (args.action === "quote") return quote(port, args);
      return unknownAction(args.action, ACTIONS);
    },
  });
}

async function search(port: NetworkPort, args: Args): Promise<unknown> {
  if (!args.query) return "Error: search requires `query`";
  if (args.scope === "knowledge") return lookUp(port, args.query, args.limit ?? DEFAULT_LIMIT);
  const channelId = args.channel_id ?? port.channelId;
  if (!channelId) return "Error: search scope=channel requires an active channel";
  if (args.query.length > MAX_SEARCH_LENGTH) {
    return `Error: search takes a \`query\` of at most ${MAX_SEARCH_LENGTH} characters`;
  }
  const query = args.query;
  return orNotFound(channelId, async () => {
    const hits = await findSaid(port, channelId, query, args.limit ?? DEFAULT_LIMIT);
    return hits.map((envelope) => ({
      envelope_id: envelope.envelope_id,
      sender_id: envelope.sender_id,
      when: envelope.created_at,
      excerpt: excerptAround(spokenText(envelope), query),
    }));
  });
}

async function lookUp({ knowledge }: NetworkPort, query: string, limit: number): Promise<unknown> {
  if (knowledge === undefined) return "Error: search scope=knowledge needs a knowledge store";
  const hits = await knowledge.search(query, limit);
  return hits.map(({ id, title, excerpt, score }) => ({ id, title, excerpt, score }));
}

async function quote(port: NetworkPort, args: Args): Promise<unknown> {
  if (!args.speaker) return "Error: quote requires `speaker`";
  const channelId = args.channel_id ?? port.channelId;
  if (!channelId) return "Error: quote requires an active channel or `channel_id`";
  const speakerId = await resolvePeerId(port.hub, args.speaker);
  if (speakerId === null) return `Error: speaker '${args.speaker}' not found`;
  const isTheirs = (envelope: Envelope): boolean => envelope.sender_id === speakerId;
  return orNotFound(channelId, async () => {
    const said = await newestSaid(port, channelId, isTheirs, args.recent_n ?? 1);
    return said.map((envelope) => ({
      envelope_id: envelope.envelope_id,
      when: envelope.created_at,
      text: spokenText(envelope),
    }));
  });
}

async function orNotFound(channelId: string, read: () => Promise<unknown>): Promise<unknown> {
  try {
    return await read();
  } catch (error) {
    if (!isNetworkError(error) || error.code !== "not_found") throw error;
    return `Error: channel '${channelId}' not found`;
  }
}
