import type { IncomingMessage, ServerResponse } from "node:http";
import { AccessDeniedError, AuthError, type Logger } from "@colloquy/protocol";
import { authorizeRequest, type GatedHub } from "./operator-request.js";

/** A page that only operators see, made anew for every request. */
export interface OperatorPage {
  /** Of what `render` gives, for the HTTP header. */
  readonly contentType: string;
  render(): Promise<string>;
}

/** Answers with a page, once the gate has said that it is an operator who asks. */
export async function answerOperator(
  page: OperatorPage,
  hub: GatedHub,
  { logger }: { readonly logger: Logger },
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<void> {
  const answer = (status: number, text: string, headers: Record<string, string> = {}): void => {
    const plain = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
    response.writeHead(status, { ...plain, ...headers }).end(text);
  };
  try {
    await authorizeRequest(hub, request, "read");
    answer(200, await page.render(), { "Content-Type": page.contentType });
  } catch (error) {
    if (error instanceof AuthError) {
      answer(401, `${error.message}\n`, { "WWW-Authenticate": 'Bearer realm="colloquy"' });
    } else if (error instanceof AccessDeniedError) {
      answer(403, `${error.message}\n`);
    } else {
      logger.error({ err: error }, "a page for operators could not be made");
      answer(500, "the page could not be made\n");
    }
  }
}
