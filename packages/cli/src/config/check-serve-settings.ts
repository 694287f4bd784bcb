import { isIP } from "node:net";
import { isNetworkError } from "@colloquy/protocol";
import { requireOtlpUrl } from "@colloquy/telemetry";
import { type CliError, usageError } from "../errors/cli-error.js";
import type { Merged } from "./merge-settings.js";
import type { ServeSettings } from "./serve-settings.js";
import { placeOf } from "./setting-error.js";

/**
 * Checks what no setting can check alone. Whether there is a key at all only the data file tells.
 *
 * @throws CliError that names the settings which do not go together
 */
export function checkServeSettings(merged: Merged<ServeSettings>): void {
  const { values, sourceOf } = merged;
  const place = (path: string): string => placeOf(path, sourceOf(path));
  const keys = Object.keys(values.apiKeys).length;
  if (values.auth === "none" && keys > 0) {
    throw usageError(
      `${place("apiKeys")} holds keys, but ${place("auth")} is none, which asks for no key.`,
      "Set auth to api_key, or leave the keys out.",
    );
  }
  if (values.otlp !== "") checkOtlp(values.otlp, place("otlp"));
  const open = values.auth === "none" && !values.allowUnauthenticated;
  if (open && !isLoopback(values.host)) throw unauthenticated(values.host, place);
}

function checkOtlp(url: string, place: string): void {
  try {
    requireOtlpUrl(url);
  } catch (error) {
    if (!isNetworkError(error)) throw error;
    const { received, remedy } = error.details ?? {};
    throw usageError(`${place} is ${String(received)}.`, String(remedy));
  }
}

/** True for an address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (bare === "localhost" || bare === "::1") return true;
  return isIP(bare) === 4 && bare.startsWith("127.");
}

function unauthenticated(host: string, place: (path: string) => string): CliError {
  return usageError(
    `${place("host")} is ${host}, which other machines reach, but ${place("auth")} is none: anybody could act as any agent.`,
    "Set auth to api_key, or host to 127.0.0.1, or allowUnauthenticated to true where a gateway checks who connects.",
  );
}
