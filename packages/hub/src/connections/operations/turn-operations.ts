import type { ColloquyOperationName } from "@colloquy/protocol";
import { answerBytes } from "./answer-bytes.js";
import type { Caller, Operations, RawParams } from "./operation.js";
import { requireAnyAgent, requireMember, requireMembership } from "./scopes.js";

type TurnOperationName = Extract<
  ColloquyOperationName,
  "get_state" | "prepare_turn" | "resolve_names" | "why_waiting" | "health"
>;

/** What only Colloquy's own profile asks: state, turns, names and the hub's figures. */
export const turnOperations: Operations<TurnOperationName> = {
  get_state: {
    authorize: (caller: Caller, raw: RawParams) => requireMember(caller, raw["channel_id"]),
    run: ({ work }, { channel_id }) => work.hub.adapterState(channel_id),
    bulky: true,
  },
  prepare_turn: {
    authorize: (caller, raw) => requireMembership(caller, raw["channel_id"], raw["agent_id"]),
    async run(caller, params) {
      const asked = { ...params, maxBytes: answerBytes(caller) };
      const { slice, names, ...turn } = await caller.work.hub.prepareTurn(asked);
      const { count, senders } = slice.left_out;
      return {
        ...turn,
        envelopes: [...slice.envelopes],
        left_out: { count, senders: [...senders] },
        names: { ...names },
      };
    },
    bulky: true,
  },
  resolve_names: {
    run: ({ work }, { names }) =>
      Object.fromEntries(names.map((name) => [name, work.hub.findAgentId(name)])),
    bulky: true,
  },
  why_waiting: {
    authorize: (caller, raw) => requireMember(caller, raw["channel_id"]),
    run: ({ work }, { channel_id }) => work.hub.whyWaiting(channel_id, { reasons: false }),
  },
  health: {
    authorize: requireAnyAgent,
    run({ work }) {
      const { quarantined_channels, unwatched_expectations, store, ...figures } = work.hub.health();
      const { healthy, bytes, audit_bytes } = store;
      return {
        ...figures,
        unwatched_expectations: Object.keys(unwatched_expectations).length,
        quarantined_channels: Object.keys(quarantined_channels).length,
        store: { healthy, bytes, audit_bytes },
      };
    },
  },
};
