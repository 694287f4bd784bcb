import type { ScriptLine, Turn } from "@colloquy/client";
import { type Envelope, handoff, type RoundEvent } from "@colloquy/protocol";
import { humanOf, type Member } from "../world/member.js";
import type { World } from "../world/world.js";

/** Milliseconds that a question to somebody else may take. */
const CONSULT_MS = 20_000;

/** What members decide: agents about turns, people about invitations. */
export async function play(world: World, member: Member, on: Turn | Envelope): Promise<ScriptLine> {
  if (!("envelope" in on)) {
    answerInvitation(world, member, on);
    return null;
  }
  return takeTurn(world, on);
}

/** Most invitations are accepted; some are declined, some are left lying. */
function answerInvitation(world: World, member: Member, invite: Envelope): void {
  const human = humanOf(member);
  if (human === null || world.dice.chance(0.1)) return;
  const isWelcome = world.dice.chance(0.85);
  const answering = isWelcome ? human.acceptInvite(invite) : human.rejectInvite(invite);
  world.attempt(`${member.name} ${isWelcome ? "accepts" : "declines"}`, answering);
}

/**
 * What an agent does with a turn. In trouble it may take its time, crash, say nothing, speak before
 * its turn has ended, ask somebody else, or hand the floor to anybody at all.
 */
async function takeTurn(world: World, turn: Turn): Promise<ScriptLine> {
  const { dice, isTroubled } = world;
  const text = `answer of ${turn.agentId} to ${turn.envelope.envelope_id}`;
  if (!isTroubled) return text;
  if (dice.chance(0.2)) await pause(world, dice.int(4_000));
  if (dice.chance(0.06)) throw new Error("the agent crashed");
  if (dice.chance(0.08)) return null;
  if (dice.chance(0.1)) await speakEarly(world, turn);
  if (dice.chance(0.04)) await askSomebody(world, turn);
  if (dice.chance(0.06)) throw new Error("the agent crashed late");
  const isWorkflow = turn.channel.manifest.type === "workflow";
  return isWorkflow && dice.chance(0.3) ? handOff(world, text) : text;
}

function pause({ clock }: World, delayMs: number): Promise<void> {
  return new Promise((resolve) => void clock.setTimer(delayMs, resolve));
}

async function speakEarly({ chronicle }: World, turn: Turn): Promise<void> {
  const say = turn.tools.find(({ name }) => name === "say");
  const { envelope_id } = turn.envelope;
  const said = await say?.run(
    { content: `said by ${turn.agentId} on ${envelope_id}` },
    { signal: turn.signal, callId: "say" },
  );
  chronicle.note("said early", { said });
}

async function askSomebody({ dice, members, chronicle }: World, turn: Turn): Promise<void> {
  const others = members.filter(({ agentId }) => agentId !== turn.agentId && agentId !== "");
  const target = dice.pick(others);
  if (target === undefined) return;
  const options = { timeoutMs: CONSULT_MS };
  try {
    const answer = await turn.context.client.consult(target.name, "a question", options);
    chronicle.note("was told", { answer });
  } catch (error) {
    chronicle.note("was not told", { error: String(error) });
  }
}

function handOff({ dice, members }: World, text: string): ScriptLine {
  const target = dice.pick([...members.map(({ name }) => name), "nobody"]) ?? "nobody";
  const events: RoundEvent[] = [
    { type: "tool_call", id: "1", name: "pass_on", arguments: {} },
    { type: "tool_result", id: "1", result: handoff(target, "your turn") },
  ];
  return { text, events };
}
