import * as z from "zod";

/** Any value that JSON can hold. */
export const plainJsonSchema = z.json();
/** See {@link plainJsonSchema}. */
export type PlainJson = z.infer<typeof plainJsonSchema>;
