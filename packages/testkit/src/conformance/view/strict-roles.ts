import {
  type Content,
  type Message,
  messageSchema,
  partShowsSomething,
  showsSomething,
} from "@colloquy/protocol";

/** Options of {@link assertStrictRoles}. */
export interface StrictRolesCheck {
  /** True to let instructions stand anywhere, in `developer` too, and anybody begin. Default false. */
  readonly lenientOpening?: boolean;
  /** `user` to demand that the last message is the user's or a tool result. Default: anybody's. */
  readonly lastRole?: "user";
}

type Check = (messages: readonly Message[], at: number, check: StrictRolesCheck) => string | null;

/**
 * Throws unless a history keeps the role rules of every provider known to be strict.
 *
 * Roles are `system`, `user`, `assistant` and `tool`; instructions stand once, at the front; the
 * user comes first behind them; neighbours differ, except results of one message; each call has one
 * result, right behind the message that asks and in the order of the calls; no call id comes twice;
 * nothing is blank. The error names the first message that breaks a rule, and the roles of all.
 */
export function assertStrictRoles(
  messages: readonly Message[],
  check: StrictRolesCheck = {},
): void {
  for (const at of messages.keys()) {
    for (const rule of RULES) {
      const fault = rule(messages, at, check);
      if (fault !== null) fail(messages, `message ${at + 1} ${fault}`);
    }
  }
  const ids = messages.flatMap(({ tool_calls }) => (tool_calls ?? []).map(({ id }) => id));
  if (new Set(ids).size < ids.length) fail(messages, "a call id comes twice");
  const last = messages.at(-1)?.role;
  if (check.lastRole === "user" && last !== "user" && last !== "tool") {
    fail(messages, "the last message is not the user's");
  }
}

const RULES: readonly Check[] = [
  hasValidShape,
  hasKnownRole,
  hasNoBlank,
  followsValidly,
  hasResultsBehind,
];

function hasValidShape(messages: readonly Message[], at: number): string | null {
  const result = messageSchema.safeParse(messages[at]);
  return result.success ? null : `has a wrong shape: ${result.error.message}`;
}

function hasKnownRole(
  messages: readonly Message[],
  at: number,
  { lenientOpening = false }: StrictRolesCheck,
): string | null {
  const role = messages[at]?.role ?? "user";
  if (role === "user" || role === "assistant" || role === "tool") return null;
  if (role === "system" && (lenientOpening || at === 0)) return null;
  return role === "developer" && lenientOpening ? null : `has the role ${role}`;
}

function hasNoBlank(messages: readonly Message[], at: number): string | null {
  const message = messages[at];
  if (message === undefined || allVisible(message.content)) return null;
  const asksOnly = message.content === null && (message.tool_calls ?? []).length > 0;
  return asksOnly ? null : "is blank or has a blank part";
}

function allVisible(content: Content | null): boolean {
  if (!showsSomething(content)) return false;
  return typeof content === "string" || content.every(partShowsSomething);
}

function followsValidly(
  messages: readonly Message[],
  at: number,
  { lenientOpening = false }: StrictRolesCheck,
): string | null {
  const role = messages[at]?.role;
  const before = messages[at - 1];
  if (role === "tool") {
    const asked = before?.role === "tool" || (before?.tool_calls ?? []).length > 0;
    return asked ? null : "is a result without a call before it";
  }
  if (before?.role === role) return `follows another ${role} message`;
  const opens = before === undefined || before.role === "system";
  return opens && role === "assistant" && !lenientOpening ? "begins as the assistant" : null;
}

function hasResultsBehind(messages: readonly Message[], at: number): string | null {
  const message = messages[at];
  if (message === undefined || message.role === "tool") return null;
  if (message.tool_calls !== undefined && message.role !== "assistant") return "calls tools";
  const calls = (message.tool_calls ?? []).map(({ id }) => id);
  if (calls.length === 0) return null;
  const behind = messages.slice(at + 1);
  const end = behind.findIndex(({ role }) => role !== "tool");
  const results = (end < 0 ? behind : behind.slice(0, end)).map((tool) => tool.tool_call_id);
  const matches = results.length === calls.length && calls.every((id, i) => id === results[i]);
  return matches ? null : `asks for [${calls}] and is answered by [${results}]`;
}

function fail(messages: readonly Message[], fault: string): never {
  throw new Error(`${fault}; roles are: ${messages.map(({ role }) => role).join(" ")}`);
}
