import * as z from "zod";
import { envelopeSchema } from "../envelope/envelope.js";

/** Most receipts that one `receipts` frame may carry. */
export const MAX_RECEIPTS = 1000;

const bareNotifyFields = {
  kind: z.literal("notify"),
  envelope: envelopeSchema,
  /** Participant of this connection that the envelope is for. */
  recipient_id: z.string().default(""),
};

const bareReceiptFields = {
  envelope_id: z.string(),
  /** `ack`: dealt with; `nack`: deliver it again. */
  status: z.enum(["ack", "nack"]),
  recipient_id: z.string().default(""),
  channel_id: z.string().default(""),
  /** Why it is refused. */
  reason: z.string().default(""),
};

const receiptFields = {
  ...bareReceiptFields,
  /** As on the bare profile, or `taken_up`: work on it begins; it stays outstanding. */
  status: z.enum(["ack", "nack", "taken_up"]),
};

/** `notify` of the bare profile: exactly its fields. */
export const bareNotifyFrameSchema = z.strictObject(bareNotifyFields);

/** `notify`, hub to client: delivers an envelope; stays outstanding until its receipt. */
export const notifyFrameSchema = z.object({
  ...bareNotifyFields,
  /** Position of the envelope in its channel, from 1. `colloquy.v1` only. */
  position: z.int().min(1).optional(),
  /** How often this envelope has been sent to this recipient, from 1. `colloquy.v1` only. */
  attempt: z.int().min(1).optional(),
});

/** `receipt` of the bare profile: exactly its fields. */
export const bareReceiptFrameSchema = z.strictObject({
  kind: z.literal("receipt"),
  ...bareReceiptFields,
});

/** `receipt`, client to hub: settles one notify, or tells that work on it begins. */
export const receiptFrameSchema = z.object({ kind: z.literal("receipt"), ...receiptFields });

/** One receipt inside a `receipts` frame. */
export const receiptItemSchema = z.object(receiptFields);

/** `receipts`, client to hub: several receipts at once, applied in order. `colloquy.v1` only. */
export const receiptsFrameSchema = z.object({
  kind: z.literal("receipts"),
  items: z.array(receiptItemSchema).max(MAX_RECEIPTS),
});

/** See {@link notifyFrameSchema}. */
export type NotifyFrame = z.infer<typeof notifyFrameSchema>;
/** See {@link receiptFrameSchema}. */
export type ReceiptFrame = z.infer<typeof receiptFrameSchema>;
/** See {@link receiptItemSchema}. */
export type ReceiptItem = z.infer<typeof receiptItemSchema>;
/** See {@link receiptsFrameSchema}. */
export type ReceiptsFrame = z.infer<typeof receiptsFrameSchema>;
