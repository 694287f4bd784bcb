import { type Passport, passportSchema, type Store } from "@colloquy/protocol";
import { matchId } from "./match-id.js";
import { eachRecord } from "./read-pages.js";
import { shortId } from "./short-id.js";

/** Who is registered in a data file. */
export interface AgentDirectory {
  /** The name of an agent; the end of its id when it is not registered. */
  nameOf(agentId: string): string;
  /** The name of an agent; its whole id when it is not registered, as views want it. */
  fullNameOf(agentId: string): string;
  has(agentId: string): boolean;
  /** Passports that could be read, in the order of their ids. */
  readonly passports: readonly Passport[];
}

/** Reads the {@link AgentDirectory}; a passport that cannot be read counts as not there. */
export async function readAgents(store: Store): Promise<AgentDirectory> {
  const passports = new Map<string, Passport>();
  for await (const { id, value } of eachRecord(store, "agent")) {
    const passport = parsePassport(value);
    if (passport !== null) passports.set(id, { ...passport, agent_id: id });
  }
  const fullNameOf = (agentId: string): string => passports.get(agentId)?.name ?? agentId;
  return {
    nameOf: (agentId) => passports.get(agentId)?.name ?? shortId(agentId),
    fullNameOf,
    has: (agentId) => passports.has(agentId),
    passports: [...passports.values()],
  };
}

/**
 * The agent that a person named: by name, by id, or by a unique beginning or end of its id.
 *
 * @param agents - who is registered
 * @param others - ids that may be meant as well, such as members that have left the registry
 * @throws CliError when nobody or more than one fits
 */
export function findAgent(
  agents: AgentDirectory,
  text: string,
  others: readonly string[] = [],
): string {
  const registered = agents.passports.map(({ agent_id, name }) => ({
    id: agent_id ?? "",
    name,
    label: name,
  }));
  const rest = others
    .filter((id) => !agents.has(id))
    .map((id) => ({ id, name: undefined, label: id }));
  return matchId("agent", text, [...registered, ...rest]).id;
}

function parsePassport(value: string): Passport | null {
  try {
    const parsed = passportSchema.safeParse(JSON.parse(value));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
