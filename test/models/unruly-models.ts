import type { ChatAnswer, ChatRequest } from "./chat-server.js";

interface OfferedTool {
  readonly function: { readonly name: string; readonly parameters: ArgumentSchema };
}

interface ArgumentSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, ArgumentSchema>>;
  readonly required?: readonly string[];
}

/** A model that talks and never calls a tool, whatever it is told. */
export function createTalker(): (request: ChatRequest) => ChatAnswer {
  let said = 0;
  return () => {
    said += 1;
    return { pieces: ["Well, ", "that is ", `remark ${said}.`] };
  };
}

/**
 * A model that calls one of its tools whenever it has not just done so, each in its turn, with
 * arguments that fit the schema and make no sense.
 */
export function createFiddler(): (request: ChatRequest) => ChatAnswer {
  let calls = 0;
  return ({ body }) => {
    const messages = body["messages"] as readonly { readonly role: string }[];
    const tools = (body["tools"] ?? []) as readonly OfferedTool[];
    const tool = tools[calls % Math.max(1, tools.length)]?.function;
    calls += 1;
    if (messages.at(-1)?.role === "tool" || tool === undefined)
      return { pieces: ["So ", "be it."] };
    const values = JSON.stringify(fill(tool.parameters));
    return { toolCalls: [{ id: `call_${calls}`, name: tool.name, arguments: values }] };
  };
}

/** The least value that a schema lets pass. */
function fill({
  type,
  enum: values,
  minimum,
  properties = {},
  required = [],
}: ArgumentSchema): unknown {
  if (values !== undefined) return values[0];
  const first = typeof type === "string" ? type : type?.[0];
  if (first === "object") {
    return Object.fromEntries(required.map((name) => [name, fill(properties[name] ?? {})]));
  }
  if (first === "array") return [];
  if (first === "boolean") return false;
  if (first === "number" || first === "integer") return minimum ?? 1;
  return "whatever";
}
