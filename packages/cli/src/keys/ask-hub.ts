import { createNodeLink } from "@colloquy/client/node";
import {
  allOperations,
  errorFromWire,
  type HubFrame,
  type LinkConnection,
  type OperationInput,
  type OperationName,
  type OperationResult,
  parseWith,
} from "@colloquy/protocol";
import { CliError } from "../errors/cli-error.js";

/** A connection to a running hub on which one thing is asked after the other. */
export interface HubAsker {
  ask<Op extends OperationName>(op: Op, params: OperationInput<Op>): Promise<OperationResult<Op>>;
  close(): void;
}

/**
 * Dials a hub and authenticates as an operator.
 *
 * @param token - an operator's API key
 * @throws CliError when the hub cannot be reached or does not speak `colloquy.v1`
 */
export async function dialAsOperator(url: string, token: string): Promise<HubAsker> {
  let wake: (frame: HubFrame | string) => void = () => undefined;
  const connection = await dial(url, {
    onFrame: (frame) => wake(frame),
    onBadFrame: (error) => wake(error.message),
    onClosed: ({ code, reason }) => wake(`the connection closed (${code} ${reason})`.trimEnd()),
  });
  if (connection.profile === "ag2") {
    connection.close();
    throw new CliError(`what listens on ${url} is no hub of Colloquy.`);
  }
  let asked = 0;
  const asker: HubAsker = {
    async ask(op, params) {
      asked += 1;
      const request_id = `ask-${asked}`;
      const answer = new Promise<HubFrame | string>((resolve) => {
        wake = (frame) => {
          const isOther = typeof frame !== "string" && frame.kind !== "response";
          if (!isOther) resolve(frame);
        };
      });
      connection.send({ kind: "request", request_id, op, params: { ...params } });
      const frame = await answer;
      if (typeof frame === "string") throw new CliError(`the hub gave no answer: ${frame}.`);
      if (frame.kind !== "response") throw new CliError("the hub gave no answer.");
      const { ok, result, error_code, error_message, error_details } = frame;
      if (!ok) throw errorFromWire(error_code, error_message, error_details);
      return parseWith(allOperations[op].result, result, `answer to ${op}`) as never;
    },
    close: () => connection.close(),
  };
  try {
    await asker.ask("authenticate", { scheme: "api_key", claim: { token } });
    return asker;
  } catch (error) {
    connection.close();
    throw error;
  }
}

type Handlers = Parameters<ReturnType<typeof createNodeLink>["connect"]>[0];

async function dial(url: string, handlers: Handlers): Promise<LinkConnection> {
  try {
    return await createNodeLink(url).connect(handlers, new AbortController().signal);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(`the hub at ${url} cannot be reached: ${why}.`, {
      cause,
      remedy: "Give the address that `colloquy serve` prints.",
    });
  }
}
