import { isTerminalState, parseTimestamp } from "@colloquy/protocol";
import { countOf, inBrackets } from "../sentence.js";
import { about, type Rule } from "./finding.js";

/** Nobody knows such a channel. */
export const notFound: Rule = ({ metadata, storeFault, quarantine, channelId }) =>
  metadata === null && storeFault === null && quarantine === null
    ? about("not_found", `There is no channel '${channelId}'`)
    : null;

/** It is over, so that nothing more can come. */
export const ended: Rule = ({ metadata }, reasons) => {
  if (metadata === null || !isTerminalState(metadata.state)) return null;
  const how = `The channel has ${metadata.state === "expired" ? "expired" : "been closed"}`;
  const since = metadata.closed_at === null ? null : parseTimestamp(metadata.closed_at);
  const rest = inBrackets(metadata.close_reason, reasons);
  return { cause: "ended", lead: how, rest, awaited: [], since, next: null };
};

/** The hub takes nothing in. */
export const hubDraining: Rule = ({ hub }) => {
  if (hub === "running") return null;
  const how = hub === "closed" ? "has closed" : "is shutting down";
  return about("hub_draining", `The hub ${how} and takes nothing in until it has started again`);
};

/** The channel's data or fold is broken. */
export const quarantined: Rule = ({ quarantine }, reasons) => {
  if (quarantine === null) return null;
  const text = "The channel is quarantined until the hub starts again on mended data";
  return about("quarantined", `${text}${inBrackets(quarantine, reasons)}`);
};

/** The store does not take or give. */
export const storeFailing: Rule = ({ storeFault }, reasons) =>
  storeFault === null
    ? null
    : about(
        "store_failing",
        `The store has failed and has not worked since${inBrackets(storeFault, reasons)}`,
      );

/** Something is on its way into the store. */
export const committing: Rule = ({ uncommitted }) =>
  uncommitted === 0
    ? null
    : about("committing", `Waiting for the store to commit ${countOf(uncommitted, "envelope")}`);
