import type { AgentEventKind } from "@colloquy/hub";
import { type Attributes, SpanKind } from "@opentelemetry/api";
import { ATTR, textAttribute } from "../spans/attributes.js";
import { type OpenSpan, type SpanMaker, startSpan } from "../spans/open-span.js";
import type { EntitySpans } from "./entity-spans.js";

type Payload = Readonly<Record<string, unknown>>;

/** Something that has happened to an agent. */
export interface AgentHappening {
  readonly agentId: string;
  readonly kind: AgentEventKind;
  readonly payload: Payload;
}

/** Begins or ends the span of an agent's registration, or makes an instant one below it. */
export function traceAgentEvent(
  maker: SpanMaker,
  { agents }: EntitySpans,
  { agentId, kind, payload }: AgentHappening,
): void {
  if (kind === "registered") {
    const name = (payload["passport"] as { name?: string } | undefined)?.name ?? agentId;
    agents.set(agentId, startAgentSpan(maker, agentId, name));
    return;
  }
  const lifetime = agents.get(agentId);
  if (kind === "unregistered") {
    agents.delete(agentId);
    lifetime?.addEvent("unregistered");
    lifetime?.end();
    return;
  }
  const instant = INSTANTS[kind];
  if (instant === undefined) return;
  startSpan(maker, {
    name: `agent.${instant.name} ${agentId}`,
    type: "agent_event",
    kind: SpanKind.INTERNAL,
    attributes: { [ATTR.agentId]: agentId, ...instant.facts(payload) },
    parent: lifetime?.context,
  }).end();
}

/** Starts the span of a registration; one of an earlier process is marked as resumed. */
export function startAgentSpan(
  maker: SpanMaker,
  agentId: string,
  name: string,
  isResumed = false,
): OpenSpan {
  return startSpan(maker, {
    name: `agent.lifetime ${name}`,
    type: "agent_lifetime",
    kind: SpanKind.INTERNAL,
    attributes: {
      [ATTR.agentId]: agentId,
      [ATTR.genAiAgentName]: name,
      ...(isResumed ? { [ATTR.resumed]: true } : {}),
    },
  });
}

interface Instant {
  readonly name: string;
  facts(payload: Payload): Attributes;
}

const INSTANTS: { readonly [K in AgentEventKind]?: Instant } = {
  resume_set: { name: "resume_set", facts: () => ({ [ATTR.resumeSource]: "tenant" }) },
  observation_recorded: {
    name: "resume_set",
    facts: ({ capability, outcome }) => ({
      [ATTR.resumeSource]: "observed",
      [ATTR.agentCapability]: textAttribute(String(capability)),
      [ATTR.agentOutcome]: String(outcome),
    }),
  },
  skill_set: {
    name: "skill_set",
    facts: ({ removed }) => ({ [ATTR.skillRemoved]: removed === true }),
  },
  rule_set: { name: "rule_set", facts: () => ({}) },
};
