import * as z from "zod";

/** Text. */
export const textPartSchema = z.strictObject({ type: z.literal("text"), text: z.string() });

/** An image as base64 data. `detail` is a hint some providers take (`auto`, `low`, `high`). */
export const imagePartSchema = z.strictObject({
  type: z.literal("image"),
  base64_data: z.string(),
  media_type: z.string().min(1),
  detail: z.string().nullish(),
});

/** Sound as base64 data, `wav` unless said otherwise. */
export const audioPartSchema = z.strictObject({
  type: z.literal("audio"),
  base64_data: z.string(),
  format: z.string().default("wav"),
});

/** A document as base64 data, PDF unless said otherwise. */
export const documentPartSchema = z.strictObject({
  type: z.literal("document"),
  base64_data: z.string(),
  media_type: z.string().default("application/pdf"),
  title: z.string().nullish(),
});

/** One piece of a message's content. Whether a model takes it depends on the model. */
export const contentPartSchema = z.discriminatedUnion("type", [
  textPartSchema,
  imagePartSchema,
  audioPartSchema,
  documentPartSchema,
]);

/** See {@link textPartSchema}. */
export type TextPart = z.infer<typeof textPartSchema>;
/** See {@link imagePartSchema}. */
export type ImagePart = z.infer<typeof imagePartSchema>;
/** See {@link audioPartSchema}. */
export type AudioPart = z.infer<typeof audioPartSchema>;
/** See {@link documentPartSchema}. */
export type DocumentPart = z.infer<typeof documentPartSchema>;
/** See {@link contentPartSchema}. */
export type ContentPart = z.infer<typeof contentPartSchema>;
/** Content of a line: plain text or parts. */
export type Content = string | ContentPart[];
