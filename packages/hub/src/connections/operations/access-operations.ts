import { type ColloquyOperationName, NotFoundError } from "@colloquy/protocol";
import { quote } from "../../core/quote.js";
import { endTimeOf, keepCredential, OPERATOR, requireCurrent } from "../credentials.js";
import { validateClaim } from "../hello.js";
import { refreshPresence } from "../presence.js";
import type { Caller, Operations, RawParams } from "./operation.js";
import { requireBound, requireOperator } from "./scopes.js";

type AccessOperationName = Extract<
  ColloquyOperationName,
  "authenticate" | "renew" | "handles_for" | "list_keys" | "issue_key" | "rotate_key" | "revoke_key"
>;

const SECOND = 1_000;
const ms = (seconds: number | null): number | null => (seconds === null ? null : seconds * SECOND);

const reading = (caller: Caller): void => void requireOperator(caller, "read");
const writing = (caller: Caller): void => void requireOperator(caller, "write");

/** Who stands behind a connection, and the hub's API keys. */
export const accessOperations: Operations<AccessOperationName> = {
  authenticate: {
    async run({ work, session }, { scheme, claim }) {
      const { operators } = work.context;
      const credential = await operators.authenticate(scheme, claim, session.peer.loopback);
      const held = { scheme, credential };
      requireCurrent(work, held);
      const { principal } = credential;
      if (!session.ended && !session.closing) {
        session.principal = principal;
        keepCredential(work, session, OPERATOR, held);
        refreshPresence(work, session);
      }
      return { ...principal, expires_at: endTimeOf(credential) };
    },
  },
  renew: {
    authorize: (caller: Caller, raw: RawParams) => requireBound(caller, raw["agent_id"]),
    async run(caller, { agent_id, claim }) {
      const { work, session } = caller;
      const agent = work.context.agents.get(agent_id);
      if (agent === undefined) throw new NotFoundError(`agent not found: ${quote(agent_id)}`);
      const held = await validateClaim(work, session, agent.passport, claim);
      requireBound(caller, agent_id);
      keepCredential(work, session, agent_id, held);
      return { expires_at: endTimeOf(held?.credential ?? null) };
    },
  },
  handles_for: {
    run: ({ work }, { agent_ids }) =>
      Object.fromEntries(
        agent_ids.flatMap((id) => {
          const handle = work.context.agents.handleOf(id);
          return handle === null ? [] : [[id, handle]];
        }),
      ),
    bulky: true,
  },
  list_keys: {
    authorize: reading,
    run: ({ work }, { name }) => [...work.hub.keys.list(name)],
    bulky: true,
  },
  issue_key: {
    authorize: writing,
    async run(caller, { ttl_seconds, ...input }) {
      const { name } = requireOperator(caller, "write");
      return caller.work.hub.keys.issue({ ...input, ttlMs: ms(ttl_seconds) }, name);
    },
  },
  rotate_key: {
    authorize: writing,
    async run(caller, { key_id, overlap_seconds, ttl_seconds }) {
      const { name } = requireOperator(caller, "write");
      const input = { overlapMs: overlap_seconds * SECOND, ttlMs: ms(ttl_seconds) };
      return caller.work.hub.keys.rotate(key_id, input, name);
    },
  },
  revoke_key: {
    authorize: writing,
    async run(caller, { key_id }) {
      const { name } = requireOperator(caller, "write");
      return caller.work.hub.keys.revoke(key_id, name);
    },
  },
};
