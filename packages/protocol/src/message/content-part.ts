import * as z from "zod";

/** Text. */
export const textPartSchema = z.strictObject({ type: z.literal("text"), text: z.string() });

/** Where the data of a picture, sound or document is: here as base64, or at an address. */
const source = {
  /** The data; empty for a part that only refers to it. */
  base64_data: z.string().default(""),
  /** Address of the data, `https:` or `http:`. Nobody fetches it by himself. */
  url: z.string().nullish(),
  /** How much there is at the address, in bytes. */
  size_bytes: z.int().min(0).nullish(),
  /** SHA-256 of what is there, in lower-case hex. */
  sha256: z.string().nullish(),
};

/** An image. `detail` is a hint some providers take (`auto`, `low`, `high`). */
export const imagePartSchema = z.strictObject({
  type: z.literal("image"),
  ...source,
  media_type: z.string().min(1),
  detail: z.string().nullish(),
});

/** Sound, `wav` unless said otherwise. */
export const audioPartSchema = z.strictObject({
  type: z.literal("audio"),
  ...source,
  format: z.string().default("wav"),
});

/** A document, PDF unless said otherwise. */
export const documentPartSchema = z.strictObject({
  type: z.literal("document"),
  ...source,
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
/** A part that is not text. */
export type MediaPart = Exclude<ContentPart, TextPart>;
/** A part as it is written: what has a default may be left out. */
export type ContentPartInput = z.input<typeof contentPartSchema>;
/** Content of a line: plain text or parts. */
export type Content = string | ContentPart[];
