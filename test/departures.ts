/** A promise of the design that goes beyond AG2's network, and a test that holds it. */
export interface Departure {
  /** The promise in short. */
  readonly promise: string;
  /** File of the test, from the root of the repository. */
  readonly file: string;
  /** How the title of the test starts. */
  readonly title: string;
}

const row = (promise: string, file: string, title: string): Departure => ({ promise, file, title });

const HUB = "packages/hub/src";

/** Where the hub departs from AG2 in rules, delivery, channels, expectations, tasks, identity and audit. */
export const DEPARTURES: readonly Departure[] = [
  row(
    "channel_types acts",
    `${HUB}/policy/rule-arbiter.test.ts`,
    "are held for who opens and for who is invited",
  ),
  row("rate acts", "test/cases/rules.test.ts", "F-008 admits a burst, says the wait"),
  row("task_ttl_default acts", "test/cases/rules.test.ts", "a task without a deadline gets"),
  row("priority orders across channels", `${HUB}/delivery/priority.test.ts`, "priority orders"),
  row(
    "ttl_seconds",
    `${HUB}/delivery/create-delivery.test.ts`,
    "does not deliver an envelope late",
  ),
  row(
    "idempotency_key",
    `${HUB}/post/repeated-posts.test.ts`,
    "F-002 with the same key and content",
  ),
  row("required_acks", `${HUB}/channels/handshake.test.ts`, "opens at the quorum of required_acks"),
  row("parent_channel_id", "test/cases/channel-life.test.ts", "parent_channel_id: "),
  row("applies_to", `${HUB}/violations/reactions.test.ts`, "applies_to limits"),
  row("knobs are checked", "packages/adapters/src/knobs/knobs.test.ts", "refuses an unknown knob"),
  row(
    "bounds of a manifest",
    `${HUB}/channels/open-channel.test.ts`,
    "holds the bounds of the manifest",
  ),
  row(
    "turn_within and warn",
    "test/cases/expectations.test.ts",
    "F-019 its handler %s: the channel",
  ),
  row("hide", `${HUB}/violations/reactions.test.ts`, "F-011 a discussion warns who is silent"),
  row("remove", `${HUB}/violations/reactions.test.ts`, "remove takes the violator out"),
  row("reassign", "test/cases/expectations.test.ts", "F-019 with reassign the third agent"),
  row(
    "authorize_register",
    `${HUB}/policy/governance.test.ts`,
    "is asked about the next registration",
  ),
  row("closing drain", "test/cases/channel-life.test.ts", "closing drain: "),
  row("violations re-arm", `${HUB}/violations/reactions.test.ts`, "violations re-arm"),
  row("depth follows the answer", "test/cases/rules.test.ts", "F-021 "),
  row("inboxes count what is outstanding", "test/edge/inboxes-and-order.test.ts", "F-015 "),
  row("every nack is delivered again", `${HUB}/delivery/create-delivery.test.ts`, "N-160 a nack"),
  row("last words reach who was away", `${HUB}/delivery/replay.test.ts`, "last words of a channel"),
  row(
    "participants come and go",
    "test/cases/channel-life.test.ts",
    "participants fixed for life: ",
  ),
  row("the ledger is shown", "test/cases/delivery-status.test.ts", "F-148 "),
  row("observers leave no mark", "test/cli/replay.test.ts", "F-151 "),
  row("a real median", `${HUB}/registry/registry-verbs.test.ts`, "N-254 "),
  row("claims stay in the hub", "test/cases/secrets.test.ts", "F-153 "),
  row(
    "only members and their own",
    `${HUB}/connections/identity.test.ts`,
    "F-013 a channel of others",
  ),
  row("audience of members only", `${HUB}/post/admission.test.ts`, "N-033 skips an unknown id"),
  row(
    "unknown expectations are refused",
    `${HUB}/expectations/expectations.test.ts`,
    "N-156 F-011",
  ),
  row(
    "expectations by knob",
    `${HUB}/expectations/expectations.test.ts`,
    "F-011 is refused when a channel",
  ),
  row(
    "view by knob",
    "packages/adapters/src/consulting/consulting-adapter.test.ts",
    "shows what the knob view",
  ),
  row(
    "no sweep reads a log",
    `${HUB}/violations/engine.test.ts`,
    "looks at ten thousand open channels",
  ),
];
