import * as z from "zod";

const bareRequestFields = {
  kind: z.literal("request"),
  /** Chosen by the client; comes back in the response. */
  request_id: z.string(),
  /** Name of an operation. */
  op: z.string(),
  params: z.record(z.string(), z.unknown()).default({}),
};

const bareResponseFields = {
  kind: z.literal("response"),
  request_id: z.string(),
  ok: z.boolean(),
  /** What the operation gave; null on failure. */
  result: z.unknown().default(null),
  /** Empty on success. */
  error_code: z.string().default(""),
  error_message: z.string().default(""),
};

const bareErrorFields = {
  kind: z.literal("error"),
  code: z.string(),
  message: z.string(),
  /** Envelope that the error is about, if there is one. */
  envelope_id: z.string().nullable().default(null),
};

const details = z.record(z.string(), z.unknown()).nullish();

/** `request` of the bare profile: exactly its fields. */
export const bareRequestFrameSchema = z.strictObject(bareRequestFields);

/** `request`, client to hub: calls an operation. */
export const requestFrameSchema = z.object(bareRequestFields);

/** `response` of the bare profile: exactly its fields. */
export const bareResponseFrameSchema = z.strictObject(bareResponseFields);

/** `response`, hub to client: answers one request. */
export const responseFrameSchema = z.object({
  ...bareResponseFields,
  /** Facts for programs beside the message. `colloquy.v1` only. */
  error_details: details,
});

/** `error` of the bare profile: exactly its fields. */
export const bareErrorFrameSchema = z.strictObject(bareErrorFields);

/** `error`, hub to client: something went wrong outside an answered request. */
export const errorFrameSchema = z.object({
  ...bareErrorFields,
  /** Facts for programs beside the message. `colloquy.v1` only. */
  details,
  /** Request that the error is about, if it could be read. `colloquy.v1` only. */
  request_id: z.string().nullish(),
});

/** See {@link requestFrameSchema}. */
export type RequestFrame = z.infer<typeof requestFrameSchema>;
/** See {@link responseFrameSchema}. */
export type ResponseFrame = z.infer<typeof responseFrameSchema>;
/** See {@link errorFrameSchema}. */
export type ErrorFrame = z.infer<typeof errorFrameSchema>;
