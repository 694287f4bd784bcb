import {
  type ChannelMetadata,
  findParticipant,
  ProtocolError,
  type ViewSpec,
} from "@colloquy/protocol";
import * as z from "zod";
import { jsonObjectSchema } from "./json-object.js";

const viewSpecSchema = z.strictObject({
  name: z.string().min(1),
  args: jsonObjectSchema.default({}),
});

/**
 * The `view` knob: one view for everybody, `{ name, args }`, or one for some participants,
 * `{ participants: { <agent id>: { name, args } } }`; the others keep the type's default.
 */
export const viewKnobSchema = z.union([
  viewSpecSchema,
  z.strictObject({ participants: z.record(z.string().min(1), viewSpecSchema) }),
]);

/**
 * The view that the knob gives a participant.
 *
 * @returns null when the knob is absent or says nothing about the participant
 */
export function viewFromKnob(channel: ChannelMetadata, participantId: string): ViewSpec | null {
  const knob = readView(channel);
  if (knob === null) return null;
  if ("name" in knob) return knob;
  return Object.hasOwn(knob.participants, participantId)
    ? (knob.participants[participantId] ?? null)
    : null;
}

/** Throws `ProtocolError` when the `view` knob names somebody who does not take part. */
export function checkViewKnob(channel: ChannelMetadata): void {
  const knob = readView(channel);
  if (knob === null || "name" in knob) return;
  for (const id of Object.keys(knob.participants)) {
    if (findParticipant(channel, id) !== undefined) continue;
    throw new ProtocolError(`knob view.participants names '${id}', who takes no part`);
  }
}

function readView(channel: ChannelMetadata): z.output<typeof viewKnobSchema> | null {
  if (!Object.hasOwn(channel.knobs, "view")) return null;
  const parsed = viewKnobSchema.safeParse(channel.knobs["view"]);
  return parsed.success ? parsed.data : null;
}
