import type { Logger } from "@colloquy/protocol";
import { operationCall } from "../connection/call.js";
import type { Connection } from "../connection/connection.js";
import { messageOf } from "../errors.js";
import type { CredentialSupplier } from "./credentials.js";

/** What renewing needs of a hub client. */
export interface RenewalPorts {
  readonly connection: Pick<Connection, "call">;
  readonly credentials: CredentialSupplier | undefined;
  readonly logger: Logger;
}

/**
 * Gives the hub a fresh claim for a participant whose credential is about to end. Without a supplier
 * of claims there is none to give, and a failure is logged: the binding then ends with the old
 * credential, and the next hello asks the supplier again. Never rejects.
 */
export async function renewCredential(
  { connection, credentials, logger }: RenewalPorts,
  { agentId, name }: { readonly agentId: string; readonly name: string },
): Promise<void> {
  if (credentials === undefined) return;
  try {
    const claim = await credentials(name);
    await connection.call(operationCall("renew", { agent_id: agentId, claim: { ...claim } }));
  } catch (error) {
    logger.warn({ participant: name, error: messageOf(error) }, "a credential was not renewed");
  }
}
