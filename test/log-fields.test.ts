import { expect, it } from "vitest";
import { isTest, listTypeScript, readText } from "./source-files.js";

/** Names under which the subject of a log line must not stand, with the one that it has everywhere. */
const WRONG_NAMES: Readonly<Record<string, string>> = {
  ...{ channel: "channel_id", channelId: "channel_id", envelope: "envelope_id" },
  ...{ envelopeId: "envelope_id", trace: "trace_id", traceId: "trace_id", traceparent: "trace_id" },
  ...{ recipient: "recipient_id", recipientId: "recipient_id", agent: "agent_id" },
  ...{ agentId: "agent_id", sender: "sender_id", senderId: "sender_id", taskId: "task_id" },
};

/** The fields that are written out in calls of a logger, as `file: name`. */
function fieldsIn(file: string): { readonly file: string; readonly name: string }[] {
  const calls = readText(file).matchAll(
    /logger\??\.(?:debug|info|warn|error)\(\s*(\{(?:[^{}]|\{[^{}]*\})*\})/g,
  );
  return [...calls].flatMap(([, fields = ""]) =>
    [...fields.matchAll(/[{,]\s*(\w+)\s*(?=[:,}])/g)].map(([, name = ""]) => ({ file, name })),
  );
}

it("log lines name channels, envelopes, traces, agents and tasks in one way everywhere", () => {
  const found = listTypeScript("packages")
    .filter((path) => !isTest(path))
    .flatMap(fieldsIn);
  expect(found.filter(({ name }) => name === "channel_id").length).toBeGreaterThan(10);
  expect(found.filter(({ name }) => Object.hasOwn(WRONG_NAMES, name))).toEqual([]);
});
