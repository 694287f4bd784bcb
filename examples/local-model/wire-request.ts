import * as z from "zod";

/** Longest list of messages that is looked at. */
const MAX_MESSAGES = 1_000;
const MAX_TOOLS = 64;
const MAX_STOPS = 4;

const textPartSchema = z.object({
  type: z.literal("text", "this model reads text alone; the only kind of part is text"),
  text: z.string(),
});
/** A text alone is one part. */
const contentSchema = z.preprocess(
  (content) => (typeof content === "string" ? [{ type: "text", text: content }] : content),
  z.array(textPartSchema, "give a text, or a list of parts that are texts"),
);

const toolCallSchema = z.object({
  id: z.string(),
  type: z.literal("function").optional(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const messageSchema = z.discriminatedUnion("role", [
  z.object({ role: z.enum(["system", "developer", "user"]), content: contentSchema }),
  z.object({
    role: z.literal("assistant"),
    content: contentSchema.nullish(),
    tool_calls: z.array(toolCallSchema).nullish(),
  }),
  z.object({ role: z.literal("tool"), tool_call_id: z.string(), content: contentSchema }),
]);

const toolSchema = z.object({
  type: z.literal("function", "the only kind of tool is function"),
  function: z.object({
    name: z.string().regex(/^[\w-]{1,64}$/, "1 to 64 letters, digits, _ and -"),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** What of a request for chat completions this server reads. */
export const chatRequestSchema = z.object({
  model: z.string().min(1),
  messages: z.array(messageSchema).min(1).max(MAX_MESSAGES),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string().min(1), z.array(z.string().min(1)).max(MAX_STOPS)]).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  tools: z.array(toolSchema).max(MAX_TOOLS).nullish(),
  tool_choice: z
    .enum(["auto", "none"], "this model cannot be made to call a tool; auto and none are possible")
    .nullish(),
  n: z.literal(1, "one answer at a time").nullish(),
  logprobs: z.literal(false, "this server tells no probabilities").nullish(),
  response_format: z.object({ type: z.literal("text", "this server writes text alone") }).nullish(),
});

export type WireMessage = z.infer<typeof messageSchema>;
export type WireTool = z.infer<typeof toolSchema>;
