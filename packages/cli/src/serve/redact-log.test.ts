import { redactText } from "@colloquy/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactLine } from "./redact-log.js";

const S = "s3cr3tValue12345";
const shown = (fields: Record<string, unknown>): string => redactLine(JSON.stringify(fields));

describe("redactLine", () => {
  it.each([
    "authorization",
    "Authorization",
    "proxy-authorization",
    "token",
    "access_token",
    "accessToken",
    "api_key",
    "apiKey",
    "apiKeys",
    "x-api-key",
    "auth_claim",
    "claim",
    "claims",
    "secret",
    "clientSecret",
    "client_secret",
    "password",
    "passwd",
    "cookie",
    "set-cookie",
    "credentials",
    "privateKey",
    "webhook_signature",
  ])("F-153 hides the field %s however deep it stands", (key) => {
    for (const value of [S, { token: S }, [S], 12_345]) {
      expect(shown({ [key]: value })).toContain("(hidden)");
      const deep = shown({ a: [{ b: { c: { [key]: value } } }], msg: "m" });
      expect(deep).toContain("(hidden)");
      expect(deep).not.toContain(S);
    }
  });

  it.each([
    `Bearer ${S}`,
    `authorization: bearer ${S}`,
    `Basic ${S}`,
    `POST https://${S}@example.com/hook failed`,
    `https://user:${S}@example.com`,
    `wss://example.com/ws?token=${S}&x=1`,
    `https://example.com?key=${S}`,
    `the response said {"api_key":"${S}"}`,
    `token=${S}`,
    `password: ${S}`,
    `POST https://example.com/hooks/${S} answered 500`,
    `https://example.com/x#${S}`,
    `whsec_${S}`,
    `sk-${S}`,
    `ghp_${S}`,
    `cq_${"0a".repeat(16)}_${S}`,
    `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.${S}`,
  ])("F-153 hides it in the text %j, in message, stack and nested field", (text) => {
    const line = shown({
      msg: text,
      err: { message: text, stack: `Error: ${text}\n  at x` },
      a: [text],
    });
    expect(line).not.toContain(S);
    expect(redactText(text)).not.toContain(S);
  });

  it("leaves what is no secret as it is, and the host of an address", () => {
    const plain = {
      level: 30,
      ...{ channel_id: "c1", envelope_id: "e1", trace_id: "00-aa-bb-01", key_id: "k1" },
      ...{
        input_tokens: 12,
        authenticated: true,
        tokenised: "no",
        url: "http://127.0.0.1:4318/v1",
      },
      ...{ msg: "the token is not accepted; show an operator's key" },
    };
    expect(JSON.parse(shown(plain))).toEqual(plain);
    expect(redactText(`https://u:${S}@example.com/x`)).toContain("example.com");
  });

  it("cleans what is no JSON as text, and always ends a line", () => {
    expect(redactLine(`Bearer ${S}`)).not.toContain(S);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
        const line = shown(fields);
        expect(line.endsWith("\n")).toBe(true);
        expect(() => JSON.parse(line)).not.toThrow();
      }),
    );
  });
});
