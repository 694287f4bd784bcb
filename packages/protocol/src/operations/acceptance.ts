import * as z from "zod";
import { ERROR_CODES, type ErrorCode } from "../errors/error-codes.js";
import { jsonObject } from "./optional-param.js";

/** What would become of a post at the instant of the question: taken, or refused with this error. */
export const acceptanceSchema = z.discriminatedUnion("accepted", [
  z.object({ accepted: z.literal(true) }),
  z.object({
    accepted: z.literal(false),
    code: z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    details: jsonObject.nullable(),
  }),
]);

/** See {@link acceptanceSchema}. */
export type Acceptance = z.infer<typeof acceptanceSchema>;
