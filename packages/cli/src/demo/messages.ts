import * as z from "zod";

/** What the demonstration tells an agent process. */
export const orderSchema = z.discriminatedUnion("kind", [
  /** Open the channels of this round, or go on with them; for the chair alone. */
  z.strictObject({ kind: z.literal("play"), round: z.int().min(1) }),
  /** Finish what is under way and end. */
  z.strictObject({ kind: z.literal("end") }),
]);
/** See {@link orderSchema}. */
export type Order = z.infer<typeof orderSchema>;

/** What an agent process tells the demonstration. */
export const newsSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("attached") }),
  z.strictObject({ kind: z.literal("played"), round: z.int().min(1) }),
]);
/** See {@link newsSchema}. */
export type News = z.infer<typeof newsSchema>;
