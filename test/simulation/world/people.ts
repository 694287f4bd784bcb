import type { Dice } from "../dice.js";
import type { MemberPlan } from "./member.js";

/** Who lives in one client process. */
export interface ProcessPlan {
  readonly name: string;
  readonly members: readonly MemberPlan[];
}

/** A few processes with one to three agents and people each; the first has agents only. */
export function planProcesses(dice: Dice): ProcessPlan[] {
  const count = 2 + dice.int(3);
  return Array.from({ length: count }, (_, at) => ({
    name: `client-${at}`,
    members: Array.from({ length: 1 + dice.int(3) }, (_none, index) => planMember(dice, at, index)),
  }));
}

function planMember(dice: Dice, at: number, index: number): MemberPlan {
  const kind = at > 0 && dice.chance(0.25) ? "human" : "agent";
  const name = `${kind}-${at}${index}`;
  const isTardy = kind === "human" && dice.chance(0.5);
  const isChoosy = dice.chance(0.08);
  const access = isChoosy ? { inbound_from: ["agent-*"] } : {};
  if (!dice.chance(0.25)) return { name, kind, isTardy, rule: { access } };
  const overflow = dice.pick(["reject", "reject", "drop_oldest", "drop_newest"] as const);
  const inbox = { max_pending: 5 + dice.int(20), overflow: overflow ?? "reject" };
  return { name, kind, isTardy, rule: { access, limits: { inbox } } };
}
