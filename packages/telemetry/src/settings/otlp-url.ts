import { InvalidInputError } from "@colloquy/protocol";

/**
 * Checks the base URL of an OTLP receiver: http or https, and nothing in it that is a secret.
 *
 * @throws InvalidInputError, which does not show the URL
 */
export function requireOtlpUrl(text: string): void {
  const received = faultOf(text);
  if (received === null) return;
  const remedy =
    "Give a base URL such as http://127.0.0.1:4318; put credentials into OTEL_EXPORTER_OTLP_HEADERS.";
  const facts = { field: "otlp", received, remedy };
  throw new InvalidInputError(`otlp: received ${received}. ${remedy}`, facts);
}

function faultOf(text: string): string | null {
  if (!URL.canParse(text)) return "text that is no URL";
  const { protocol, username, password, search, hash } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") return "a URL of another scheme";
  if (username !== "" || password !== "") return "a URL with credentials";
  return search === "" && hash === "" ? null : "a URL with a query or a fragment";
}
