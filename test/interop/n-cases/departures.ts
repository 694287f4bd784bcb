/**
 * Cases that do not hold through AG2's client, by number: what happens instead, and what explains it.
 * A check named `n_<number>_departed` observes it.
 */
export const DEPARTURES: Readonly<Record<number, { instead: string; because: string }>> = {
  1: {
    instead: "`AccessDeniedError`: the connection is not bound to the sender",
    because:
      "design, section 8: identity is bound to the connection; AG2 1.2.1 answers the same over a wire",
  },
  6: {
    instead: "`AuthError`: the connection has no bound agent any more",
    because:
      "design, section 8: identity is bound to the connection; AG2 1.2.1 refuses it over a wire as well",
  },
  34: {
    instead: "the open is refused with `exactly one respondent`",
    because:
      "a third participant has no role in a consulting channel: the open counts respondents, and the adapter's own words stay for channels that are made by hand",
  },
  45: {
    instead: "the open is refused with `at least one` participant beside the creator",
    because: "N-031: an open without invitees is refused before a channel type is asked",
  },
  130: {
    instead: "a slot is free again when B has acknowledged, not when B has posted",
    because: "design, section 8: inboxes count what is outstanding",
  },
};
