import { type Passport, type Resume, renderFallbackSkill, type Tool } from "@colloquy/protocol";
import * as z from "zod";
import { defineTool, optional, unknownAction } from "./define-tool.js";
import type { NetworkPort } from "./network-port.js";
import { type PeerSummary, rankPeers, summarisePeer } from "./peer-summary.js";
import { resolvePeer } from "./resolve-peer.js";

const ACTIONS = ["find", "describe"];

/** Peers that a search lists unless the model says otherwise. */
const DEFAULT_LIMIT = 20;

/** Peers that are looked at when they are to be put in order here. */
const MOST_LOOKED_AT = 200;

const input = z.object({
  action: z.string().describe("`find` lists peers, `describe` tells all about one."),
  query: optional(z.string(), "find: words that the summary must have."),
  capability: optional(z.string(), "find: a capability that it must have."),
  sort_by: optional(z.enum(["name", "cost", "track_record"]), "find: the order of the list."),
  name: optional(z.string(), "describe: name or id of the peer."),
  limit: optional(z.int().min(1).max(MOST_LOOKED_AT), `find: ${DEFAULT_LIMIT} by default.`),
});

type Search = z.output<typeof input>;

/** The tool `peers`: who else is on the network, and what they can do. */
export function createPeersTool(port: NetworkPort): Tool {
  return defineTool({
    name: "peers",
    description: "Find other participants of the network, or describe one.",
    input,
    async run(args) {
      if (args.action === "find") return find(port, args);
      if (args.action === "describe") return describe(port, args.name ?? "");
      return unknownAction(args.action, ACTIONS);
    },
  });
}

async function find(
  { hub, agentId }: NetworkPort,
  { query, capability, sort_by, limit }: Search,
): Promise<PeerSummary[]> {
  const most = limit ?? DEFAULT_LIMIT;
  const isRanked = sort_by === "cost" || sort_by === "track_record";
  const passports = await hub.listAgents({
    capability: capability ?? null,
    query: query ?? null,
    sort_by: sort_by === "name" ? "name" : null,
    limit: isRanked ? MOST_LOOKED_AT : most + 1,
  });
  const others = passports.filter(({ agent_id }) => agent_id !== agentId);
  const wanted = isRanked ? others : others.slice(0, most);
  const peers = await Promise.all(
    wanted.map(async (passport) =>
      summarisePeer(passport, await hub.getResume(passport.agent_id ?? "")),
    ),
  );
  return isRanked ? rankPeers(peers, sort_by).slice(0, most) : peers;
}

async function describe({ hub }: NetworkPort, name: string): Promise<unknown> {
  if (name === "") return "Error: describe requires `name` (or agent_id)";
  const passport = await resolvePeer(hub, name);
  if (passport === null) return `Error: peer '${name}' not found`;
  const agentId = passport.agent_id ?? "";
  const [resume, skill] = await Promise.all([hub.getResume(agentId), hub.getSkill(agentId)]);
  return {
    passport: pick(passport),
    resume: {
      summary: resume.summary,
      claimed_capabilities: resume.claimed_capabilities,
      domains: resume.domains,
      observed: trackRecord(resume),
    },
    skill_md: skill ?? renderFallbackSkill(passport, resume),
  };
}

function pick({ name, agent_id, owner, provider, model }: Passport) {
  return { name, agent_id, owner, provider, model };
}

function trackRecord({ observed }: Resume) {
  return Object.fromEntries(
    Object.entries(observed).map(([capability, { n, completed, failed, expired }]) => [
      capability,
      { n, completed, failed, expired },
    ]),
  );
}
