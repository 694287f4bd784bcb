import type { Message } from "@colloquy/protocol";
import { cleanMessage } from "./clean-message.js";
import { mergeNeighbours } from "./merge-neighbours.js";
import { pairToolCalls } from "./pair-tool-calls.js";
import { ROLE_RULES, type StrictProvider } from "./role-rules.js";

/** User message put before a history that the assistant begins. */
export const OPENING_LINE = "(The conversation begins.)";
/** User message put behind a history that must end with the user's. */
export const CLOSING_LINE = "(It is your turn.)";

/** Options of {@link toStrictRoles}. */
export interface StrictRolesOptions {
  /** Whose rules to keep; default `any`, which keeps the rules of all. */
  readonly provider?: StrictProvider | undefined;
  /**
   * True to make sure that the user's side has the last word, with {@link CLOSING_LINE} where it
   * has not. Tool results are the user's side. Default false.
   */
  readonly endWithUser?: boolean | undefined;
}

/**
 * Makes a history that a provider's check of roles accepts, with the same words in the same order.
 *
 * Afterwards:
 * - R1: roles are `system`, `user`, `assistant` and `tool` (for `openai` also `developer`); a
 *   summary is a user message under the fixed heading.
 * - R2: nothing is blank: no content, no part. `content` is null only beside tool calls.
 * - R3: no two neighbours have the same role, except tool results that answer one message.
 * - R4: each tool call has exactly one result, right behind the message that asks, in the order of
 *   the calls; no result is without its call, and no call id comes twice.
 * - R5: instructions stand once at the front, and the user's message comes first behind them
 *   ({@link OPENING_LINE} if need be); `openai` asks for neither.
 * - R6: with `endWithUser` the last message is the user's or a tool result.
 *
 * Applying it to its own result changes nothing.
 */
export function toStrictRoles(
  messages: readonly Message[],
  { provider = "any", endWithUser = false }: StrictRolesOptions = {},
): Message[] {
  const rules = ROLE_RULES[provider];
  const cleaned = messages.flatMap(cleanMessage);
  const ordered = rules.instructionsFirst ? instructionsFirst(cleaned) : cleaned;
  const merged = mergeNeighbours(pairToolCalls(ordered));
  const opened = rules.opensWithUser ? openWithUser(merged) : merged;
  return endWithUser ? closeWithUser(opened) : opened;
}

function instructionsFirst(messages: readonly Message[]): Message[] {
  const isInstruction = ({ role }: Message): boolean => role === "system" || role === "developer";
  return [
    ...messages.filter(isInstruction).map((message): Message => ({ ...message, role: "system" })),
    ...messages.filter((message) => !isInstruction(message)),
  ];
}

function openWithUser(messages: readonly Message[]): Message[] {
  const at = messages.findIndex(({ role }) => role !== "system");
  if (at < 0 || messages[at]?.role === "user") return [...messages];
  return [...messages.slice(0, at), { role: "user", content: OPENING_LINE }, ...messages.slice(at)];
}

function closeWithUser(messages: readonly Message[]): Message[] {
  const last = messages.at(-1)?.role;
  if (last === "user" || last === "tool") return [...messages];
  return [...messages, { role: "user", content: CLOSING_LINE }];
}
