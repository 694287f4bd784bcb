import { type Context, context, type Span, SpanStatusCode } from "@opentelemetry/api";
import { ATTR, textAttribute } from "../spans/attributes.js";

/** A span with the work that is about to run in it. */
export interface SpanFrame {
  readonly span: Span;
  /** Context in which the span is the current one. */
  readonly within: Context;
  /** Called with the class of the error, or null, when the work has ended. */
  readonly stop?: ((errorClass: string | null) => void) | undefined;
}

/**
 * Runs something as the work of a span, and ends the span with it. A rejection is recorded by its
 * class and message, makes the status ERROR, and is passed on.
 */
export async function runInSpan<T>(
  { span, within, stop }: SpanFrame,
  run: () => Promise<T>,
): Promise<T> {
  try {
    const result = await context.with(within, run);
    stop?.(null);
    return result;
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    const message = error instanceof Error ? error.message : String(error);
    span.setAttribute(ATTR.errorClass, name);
    span.setStatus({ code: SpanStatusCode.ERROR, message: textAttribute(message) });
    stop?.(name);
    throw error;
  } finally {
    span.end();
  }
}
