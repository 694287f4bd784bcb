import {
  describeKind,
  InvalidInputError,
  parseDuration,
  parseWith,
  type Rule,
  ruleSchema,
} from "@colloquy/protocol";

/** Longest duration of a rule, in seconds: a thousand years, which any timestamp can say. */
const MAX_SECONDS = 1_000 * 366 * 86_400;

const DURATIONS = ["channel_ttl_default", "task_ttl_default"] as const;

/**
 * Checks a rule and copies it. Its durations are read here, so that one that cannot be is refused
 * when the rule is set and not when a channel is opened under it.
 *
 * @throws InvalidInputError that names the field
 */
export function checkRule(input: unknown): Rule {
  const rule = parseWith(ruleSchema, input, "rule");
  for (const name of DURATIONS) {
    try {
      if (parseDuration(rule.limits[name]) > MAX_SECONDS) {
        throw new RangeError("duration must not exceed a thousand years; 0 means without end");
      }
    } catch (error) {
      const remedy = error instanceof Error ? error.message : "";
      throw new InvalidInputError(`rule, field limits.${name}: ${remedy}`, {
        field: `limits.${name}`,
        received: describeKind(rule.limits[name]),
        remedy,
        cause: error,
      });
    }
  }
  return rule;
}
