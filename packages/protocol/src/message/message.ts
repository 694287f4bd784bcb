import * as z from "zod";
import { contentPartSchema } from "./content-part.js";

/** Who a message of a model history is from. */
export const messageRoleSchema = z.enum([
  "system",
  "developer",
  "user",
  "assistant",
  "tool",
  "compaction_summary",
]);
/** See {@link messageRoleSchema}. */
export type MessageRole = z.infer<typeof messageRoleSchema>;

/** A model asks for a tool. `metadata` belongs to the provider and is kept as it is. */
export const toolCallSchema = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()).default({}),
  metadata: z.record(z.string(), z.string()).default({}),
});
/** See {@link toolCallSchema}. */
export type ToolCall = z.infer<typeof toolCallSchema>;

/**
 * One message of a model history.
 *
 * `content` is null only for an assistant message that has nothing but tool calls. A
 * `compaction_summary` stands for `event_count` earlier messages that were left out.
 */
export const messageSchema = z.strictObject({
  role: messageRoleSchema,
  content: z.union([z.string(), z.array(contentPartSchema)]).nullable(),
  tool_calls: z.array(toolCallSchema).optional(),
  /** For tool results: the call that is answered. */
  tool_call_id: z.string().optional(),
  /** For tool results: the tool's name. */
  name: z.string().optional(),
  /** For summaries: how many messages it stands for. */
  event_count: z.int().min(0).optional(),
});
/** See {@link messageSchema}. */
export type Message = z.infer<typeof messageSchema>;
