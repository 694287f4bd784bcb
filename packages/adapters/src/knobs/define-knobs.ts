import * as z from "zod";

/** Characters of an unknown name that a message shows. */
const MAX_SHOWN = 40;

/**
 * Builds the schema of a channel type's knobs.
 *
 * Every knob outside the shape is refused with a message that names it and lists the known ones. No
 * defaults are filled in: a channel keeps its knobs as they were given.
 *
 * @param type - the channel type, for the message
 * @param shape - knob name to schema
 */
export function defineKnobs<Shape extends z.core.$ZodLooseShape>(type: string, shape: Shape) {
  const known = Object.keys(shape).sort().join(", ");
  return z.looseObject(shape).superRefine((knobs, context) => {
    for (const knob of Object.keys(knobs)) {
      if (Object.hasOwn(shape, knob)) continue;
      const message = `Leave out ${JSON.stringify(knob.slice(0, MAX_SHOWN))}: ${type} knows the knobs ${known}.`;
      // A name that is too long to show would flood the message as a path too.
      const path = knob.length > MAX_SHOWN ? [] : [knob];
      context.addIssue({ code: "custom", path, message });
    }
  });
}
