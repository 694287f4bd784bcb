import {
  ACCESS_ROLES,
  checkAgentName,
  describeKind,
  InvalidInputError,
  type Principal,
} from "@colloquy/protocol";
import type { IssueKey } from "./api-keys.js";

const MAX_LABEL = 200;
const MAX_PATTERNS = 1_000;
const MAX_PATTERN = 256;
/** A thousand years, which any timestamp can say. */
const MAX_TTL_MS = 1_000 * 366 * 86_400_000;

/**
 * Checks what a key is to be for.
 *
 * @throws InvalidInputError that names the field
 */
export function checkPrincipal({ name, role = "participant", agents = [] }: IssueKey): Principal {
  if (!ACCESS_ROLES.includes(role))
    throw refusal("role", role, `Give one of ${ACCESS_ROLES.join(", ")}.`);
  const isList = Array.isArray(agents) && agents.length <= MAX_PATTERNS;
  if (!isList || !agents.every(isPattern)) {
    const remedy = `Give at most ${MAX_PATTERNS} globs of 1 to ${MAX_PATTERN} characters.`;
    throw refusal("agents", agents, remedy);
  }
  if (role === "service" && agents.length === 0) {
    throw refusal("agents", agents, "Give the globs of the names that the service speaks for.");
  }
  if (role !== "service" && agents.length > 0) {
    throw refusal("agents", agents, "Leave it out: only a service speaks for several agents.");
  }
  return { name: checkAgentName(name), role, agents: [...agents] };
}

/** Checks a remark. */
export function checkLabel(label: unknown = ""): string {
  if (typeof label === "string" && label.length <= MAX_LABEL) return label;
  throw refusal("label", label, `Give a text of at most ${MAX_LABEL} characters.`);
}

/** Checks a number of milliseconds, from `least` up. */
export function checkSpan(field: string, value: unknown, least: number): number {
  if (typeof value === "number" && value >= least && value <= MAX_TTL_MS) return value;
  throw refusal(field, value, `Give a number of milliseconds from ${least} to a thousand years.`);
}

function isPattern(value: unknown): boolean {
  return typeof value === "string" && value.length > 0 && value.length <= MAX_PATTERN;
}

function refusal(field: string, value: unknown, remedy: string): InvalidInputError {
  return new InvalidInputError(`API key, field ${field}: ${remedy}`, {
    field,
    received: describeKind(value),
    remedy,
  });
}
