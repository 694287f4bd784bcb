/** A refusal in the shape that clients of chat completions expect. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** The field that is wrong, such as `messages[2].content`; null where it is none. */
  readonly param: string | null;
  readonly code: string | null;

  constructor(
    status: number,
    message: string,
    { param = null, code = null }: { param?: string | null; code?: string | null } = {},
  ) {
    super(message);
    this.status = status;
    this.param = param;
    this.code = code;
  }
}

/** The body of a refusal. What is no {@link ApiError} tells nothing of itself. */
export function toErrorBody(error: unknown): { status: number; body: object } {
  if (!(error instanceof ApiError)) {
    const message = "The server failed; its own output says why.";
    return {
      status: 500,
      body: { error: { message, type: "server_error", param: null, code: null } },
    };
  }
  const { status, message, param, code } = error;
  const type = TYPES[status] ?? (status >= 500 ? "server_error" : "invalid_request_error");
  return { status, body: { error: { message, type, param, code } } };
}

const TYPES: Readonly<Record<number, string>> = { 429: "rate_limit_error" };
