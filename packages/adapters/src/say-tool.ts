import {
  type EnvelopeDraft,
  isNetworkError,
  type JsonSchema,
  type TextDraft,
  type Tool,
  type TurnPort,
} from "@colloquy/protocol";
import * as z from "zod";
import { isBlank } from "./text/text-content.js";

/** Name of the tool that {@link createSayTool} builds. */
export const SAY_TOOL = "say";

const argumentsSchema = z.object({
  content: z.string(),
  audience: z.array(z.string()).nullish(),
  channel_id: z.string().nullish(),
});

const PARAMETERS: JsonSchema = {
  type: "object",
  properties: {
    content: { type: "string", description: "What to say." },
    audience: {
      type: ["array", "null"],
      items: { type: "string" },
      description: "Names of those who may see it. Leave it out to speak to everybody.",
    },
    channel_id: {
      type: ["string", "null"],
      description: "Channel to speak in when there is no current one.",
    },
  },
  required: ["content"],
  additionalProperties: false,
};

/**
 * The tool `say`: posts a text during a turn.
 *
 * Arguments: `content`; `audience`, names of participants, everybody when absent or empty;
 * `channel_id`, used only outside a channel. The result is `posted envelope <id>`, or a sentence
 * that starts with `Error: `; the tool never throws.
 *
 * @param turn - what the turn lets the tool do
 * @param buildText - the text envelope of the channel type
 */
export function createSayTool(
  turn: TurnPort,
  buildText: (draft: TextDraft) => EnvelopeDraft,
): Tool {
  return {
    name: SAY_TOOL,
    description: "Say something in the channel now, before the turn ends.",
    parameters: PARAMETERS,
    async run(args) {
      const parsed = argumentsSchema.safeParse(args);
      if (!parsed.success) return `Error: say: ${wrongArgument(parsed.error)}`;
      const { content, audience, channel_id: given } = parsed.data;
      if (isBlank(content)) return "Error: say requires `content`";
      const channelId = turn.channelId ?? given ?? "";
      if (channelId === "") return "Error: no current channel and no channel_id provided";
      const listed = await resolveAudience(turn, audience ?? []);
      if (typeof listed === "string") return listed;
      const draft = { channelId, senderId: turn.agentId, text: content, audience: listed };
      return post(turn, buildText(draft), channelId);
    },
  };
}

async function post(turn: TurnPort, draft: EnvelopeDraft, channelId: string): Promise<string> {
  try {
    return `posted envelope ${await turn.post(draft)}`;
  } catch (error) {
    const message = messageOf(error);
    const unknownChannel =
      turn.channelId === null && isNetworkError(error) && error.code === "not_found";
    return unknownChannel
      ? `Error: channel '${channelId}' not found: ${message}`
      : `Error: send failed: ${message}`;
  }
}

/** Ids, each once; null for everybody; a sentence when a name is unknown. */
async function resolveAudience(
  turn: TurnPort,
  names: readonly string[],
): Promise<string[] | null | string> {
  if (names.length === 0) return null;
  const ids = new Set<string>();
  for (const name of names) {
    const id = await resolveName(turn, name);
    if (id === null) return `Error: peer '${name}' not found`;
    ids.add(id);
  }
  return [...ids];
}

/** A name that cannot be looked up is a name that is not found. */
async function resolveName(turn: TurnPort, name: string): Promise<string | null> {
  try {
    return await turn.resolveName(name);
  } catch {
    return null;
  }
}

function wrongArgument(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = issue?.path.map(String).join(".") ?? "";
  return `argument \`${path}\` has the wrong type: ${issue?.message ?? "invalid"}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
