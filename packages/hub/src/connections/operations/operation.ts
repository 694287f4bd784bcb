import type { OperationName, OperationParams, OperationResult } from "@colloquy/protocol";
import type { ConnectionWork, Session } from "../session.js";

/** Parameters as they came, before their shape is checked. */
export type RawParams = Readonly<Record<string, unknown>>;

/** Who calls. */
export interface Caller {
  readonly work: ConnectionWork;
  readonly session: Session;
  /** Name of the operation, for messages and the audit log. */
  readonly op: OperationName;
}

/**
 * One operation as connections offer it.
 *
 * `authorize` runs first and on the raw parameters, so that nobody learns from a complaint about
 * their shape what is not theirs; it throws, or rejects, to refuse. A parameter of the wrong type
 * passes there, because the schema refuses it right after.
 */
export interface Operation<Op extends OperationName> {
  authorize?(caller: Caller, raw: RawParams): void | Promise<void>;
  run(
    caller: Caller,
    params: OperationParams<Op>,
  ): OperationResult<Op> | Promise<OperationResult<Op>>;
  /** True when the answer may grow beyond what a bare client takes; few of them run at once. */
  readonly bulky?: boolean;
  /**
   * True for one that changes something: it takes no place among the bulky ones that run at once,
   * because it may have to wait for somebody who reads first, and acts in the order in which it came.
   */
  readonly changes?: boolean;
}

/** Some of the operations, each with its handler. */
export type Operations<Op extends OperationName> = { readonly [K in Op]: Operation<K> };
