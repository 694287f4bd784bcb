import * as z from "zod";

/** `ping` of the bare profile: no other field. */
export const barePingFrameSchema = z.strictObject({ kind: z.literal("ping") });

/** `pong` of the bare profile: no other field. */
export const barePongFrameSchema = z.strictObject({ kind: z.literal("pong") });

/** `ping`, both ways: asks for a `pong`. */
export const pingFrameSchema = z.object({ kind: z.literal("ping") });

/** `pong`, both ways: answers a `ping`. */
export const pongFrameSchema = z.object({ kind: z.literal("pong") });
