import type { IssueKey, RotateKey } from "@colloquy/hub";
import type { ApiKeyInfo, IssuedApiKey } from "@colloquy/protocol";

/** The API keys of a hub, wherever they are reached: in its data file, or through the running hub. */
export interface KeyKeeper {
  issue(input: IssueKey): Promise<IssuedApiKey>;
  rotate(keyId: string, input: RotateKey): Promise<IssuedApiKey>;
  revoke(keyId: string): Promise<ApiKeyInfo>;
  list(name: string | null): Promise<readonly ApiKeyInfo[]>;
  close(): Promise<void>;
}
