import { matchesAny } from "@colloquy/protocol";
import {
  ALLOW,
  type Arbiter,
  type DispatchRequest,
  NOBODY,
  type OpenRequest,
  type SendRequest,
  type Verdict,
} from "./arbiter.js";
import { composeArbiter } from "./compose-arbiter.js";
import { judgeInbox } from "./inbox-gate.js";
import { judgeRate } from "./rate-gate.js";
import { judgeTaskCap } from "./task-cap.js";

/**
 * The arbiter that enforces each agent's rule; a hub has it unless told otherwise.
 *
 * - Register: everybody may.
 * - Open: the creator may open this type (`access.channel_types.initiate`), every invitee takes part
 *   in it (`access.channel_types.accept`) and hears the creator (`access.inbound_from`), and the
 *   creator has room under `limits.max_concurrent_channels`.
 * - Send: an explicit audience must be within `access.outbound_to`; a broadcast is not checked
 *   against it. The envelope's depth may not exceed `limits.delegation_depth`.
 * - Rate: what the sender has used must leave room under `limits.rate`.
 * - Unknown audience: ids that nobody has are left out.
 * - Inbox: what is outstanding must be below `limits.inbox.max_pending`.
 * - Dispatch: the recipient must hear the sender.
 * - Membership: a channel's creator may invite, remove, hide and show others; anybody may leave.
 * - Task: the owner has room under `limits.max_concurrent_tasks`.
 *
 * Globs are matched against names and channel types. A limit of 0 or less is off.
 *
 * @param gates - gates in place of those of the rules; as {@link composeArbiter} takes them
 */
export function createRuleArbiter(gates: Parameters<typeof composeArbiter>[1] = {}): Arbiter {
  return composeArbiter(RULES, gates);
}

const RULES: Arbiter = {
  authorizeRegister: () => ALLOW,
  authorizeChannelOpen: judgeOpen,
  authorizeSend: judgeSend,
  authorizeRate: judgeRate,
  resolveUnknownAudience: () => NOBODY,
  authorizeInbox: judgeInbox,
  authorizeDispatch: judgeDispatch,
  authorizeTask: judgeTaskCap,
};

function refuse(reason: string): Verdict {
  return { allow: false, reason };
}

function judgeSend({ envelope, sender, recipients }: SendRequest): Verdict {
  const { access, limits } = sender.rule;
  for (const { passport } of recipients) {
    if (!matchesAny(access.outbound_to, passport.name)) {
      return refuse(`sender '${sender.passport.name}' not permitted to send to '${passport.name}'`);
    }
  }
  const cap = limits.delegation_depth;
  if (cap > 0 && envelope.depth > cap) {
    const count = `${envelope.depth} > ${cap}`;
    return refuse(`sender '${sender.passport.name}' exceeded delegation_depth (${count})`);
  }
  return ALLOW;
}

function judgeDispatch({ sender, recipient }: DispatchRequest): Verdict {
  if (matchesAny(recipient.rule.access.inbound_from, sender.passport.name)) return ALLOW;
  return refuse(
    `recipient '${recipient.passport.name}' blocks inbound from '${sender.passport.name}'`,
  );
}

function judgeOpen({ manifest, creator, invitees, openChannels }: OpenRequest): Verdict {
  const { type } = manifest;
  const { name } = creator.passport;
  if (!matchesAny(creator.rule.access.channel_types.initiate, type)) {
    return refuse(`creator '${name}' may not open channels of type '${type}'`);
  }
  for (const { passport, rule } of invitees) {
    if (!matchesAny(rule.access.inbound_from, name)) {
      return refuse(`invitee '${passport.name}' does not accept inbound from '${name}'`);
    }
    if (!matchesAny(rule.access.channel_types.accept, type)) {
      return refuse(`invitee '${passport.name}' does not accept channels of type '${type}'`);
    }
  }
  const cap = creator.rule.limits.max_concurrent_channels;
  if (cap > 0 && openChannels >= cap) {
    const count = `${openChannels} >= ${cap}`;
    return refuse(`creator '${creator.id}' exceeded max_concurrent_channels (${count})`);
  }
  return ALLOW;
}
