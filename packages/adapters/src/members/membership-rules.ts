import { type MembershipRules, ProtocolError } from "@colloquy/protocol";

/** Participants may come and go. */
export const OPEN_MEMBERSHIP: MembershipRules<unknown> = { validate: () => undefined };

/** Participants may go, and with that the channel ends; nobody may come. */
export const PAIR_MEMBERSHIP: MembershipRules<unknown> = {
  validate({ manifest }, { kind }) {
    if (kind !== "join") return;
    throw new ProtocolError(
      `a ${manifest.type} is between two; open a discussion or a workflow to take in a third`,
    );
  },
};
