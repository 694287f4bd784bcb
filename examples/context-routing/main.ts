/**
 * Routing by context: what a tool has noted, not who speaks, decides where a request goes. What is
 * unclear goes back to the person, and the next request may be about something else.
 */
import assert from "node:assert/strict";
import {
  agentTarget,
  contextEquals,
  fromSpeaker,
  type TransitionGraph,
  terminateTarget,
  transition,
  type WorkflowState,
} from "@colloquy/adapters";
import { defineTool } from "@colloquy/client";
import { EV_CHANNEL_CLOSED } from "@colloquy/protocol";
import * as z from "zod";
import { openStage } from "../stage/stage.js";

await using stage = await openStage(import.meta.url);
const hugo = await stage.person("Hugo");

const note = defineTool({
  name: "note",
  description: "Notes what the latest request is about. Call it once before you say anything.",
  input: z.object({ subject: z.enum(["money", "parcel", "unclear", "nothing more"]) }),
  async run({ subject }, { setContext, variables }) {
    const earlier = (variables["noted"] ?? []) as readonly string[];
    await setContext({ subject, noted: [...earlier, subject] });
    return "noted";
  },
});
const notes = (subject: string, text: string) => [
  { toolCalls: [{ name: "note", arguments: { subject } }] },
  text,
];
const reception = await stage.agent({
  name: "Reception",
  instructions:
    "Note the subject of the latest request by the tool. If it is unclear, ask back; otherwise say in one sentence who will help.",
  tools: [note],
  script: [
    ...notes("unclear", "What is missing: a parcel or a payment?"),
    ...notes("parcel", "The parcel desk looks after it."),
    ...notes("money", "The cashier looks after it."),
    ...notes("nothing more", "You are welcome."),
  ],
});
const money = await stage.agent({
  name: "Money",
  instructions: "You look after payments. Answer in one sentence.",
  script: ["It was paid back this morning."],
});
const parcels = await stage.agent({
  name: "Parcels",
  instructions: "You look after parcels. Answer in one sentence.",
  script: ["It is on the van and comes before noon."],
});

const speaksThen = (from: { agentId: string }, next: { agentId: string }) =>
  transition(fromSpeaker(from.agentId), agentTarget(next.agentId));
const graph: TransitionGraph = {
  initial_speaker: hugo.agentId,
  transitions: [
    speaksThen(hugo, reception),
    speaksThen(money, hugo),
    speaksThen(parcels, hugo),
    // From here on it was the reception that spoke.
    transition(contextEquals("subject", "money"), agentTarget(money.agentId)),
    transition(contextEquals("subject", "parcel"), agentTarget(parcels.agentId)),
    transition(contextEquals("subject", "unclear"), agentTarget(hugo.agentId)),
  ],
  default_target: terminateTarget("served"),
  max_turns: 20,
};

// Hugo speaks whenever the floor is his, and closes the door when he has said everything.
const says = [
  "Mine has not come!",
  "My parcel, I mean.",
  "And where are the 20 euros that you owe me?",
  "That was all, thank you.",
];
const target = ["Reception", "Money", "Parcels"];
const channel = await hugo.open({ type: "workflow", target, knobs: { graph } });
const stateOf = async (): Promise<WorkflowState> =>
  (await stage.hub.adapterState(channel.channelId)).state as WorkflowState;
await hugo.say(channel.channelId, says.shift() ?? "");
for await (const { event_type } of hugo.envelopes()) {
  if (event_type === EV_CHANNEL_CLOSED) break;
  if ((await stateOf()).expected_next_speaker !== hugo.agentId) continue;
  const next = says.shift();
  if (next === undefined) await hugo.closeChannel(channel.channelId, "served");
  else await hugo.say(channel.channelId, next);
}

const { lines, reason } = await stage.end(channel.channelId);
const { context_vars } = await stateOf();
const speakers = lines.map(([speaker]) => speaker);
console.log(`Noted: ${String(context_vars["noted"])}`);
assert.ok(reason === "served" || reason === "max_turns");
// Each desk speaks exactly when the note of the reception before it sent somebody there.
const noted = (context_vars["noted"] ?? []) as readonly string[];
const desks = speakers.filter((speaker) => speaker === "Money" || speaker === "Parcels");
const sent = noted.flatMap((subject) =>
  subject === "money" ? ["Money"] : subject === "parcel" ? ["Parcels"] : [],
);
stage.checkWords(desks, sent);
stage.checkWords(noted, ["unclear", "parcel", "money", "nothing more"]);
stage.checkWords(
  speakers.join(" "),
  "Hugo Reception Hugo Reception Parcels Hugo Reception Money Hugo Reception",
);
