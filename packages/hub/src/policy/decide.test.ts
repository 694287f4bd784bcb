import {
  AccessDeniedError,
  createEnvelope,
  createPassport,
  createResume,
  createRule,
  ProtocolError,
} from "@colloquy/protocol";
import { createRecordingLogger } from "@colloquy/testkit";
import { describe, expect, it } from "vitest";
import { createAllowAllArbiter } from "./allow-all-arbiter.js";
import { ALLOW, type Arbiter, type SendRequest } from "./arbiter.js";
import { decide, guardArbiter } from "./decide.js";

const sender = {
  id: "a",
  passport: createPassport({ name: "ada" }),
  resume: createResume(),
  rule: createRule({ access: { outbound_to: [] }, limits: { delegation_depth: 1 } }),
};
const envelope = createEnvelope({ channel_id: "c", event_type: "x", event_data: {}, depth: 9 });
const request: SendRequest = { envelope, sender, recipients: [sender] };

describe("decide", () => {
  it("lets pass what is allowed", () => {
    expect(decide(ALLOW)).toBeUndefined();
  });

  it("raises AccessDeniedError, or the error that the verdict chose", () => {
    const verdict = { allow: false, reason: "no" } as const;
    expect(() => decide(verdict)).toThrow(new AccessDeniedError("no"));
    const own = { ...verdict, error: (reason: string) => new ProtocolError(`${reason}, never`) };
    expect(() => decide(own)).toThrow(new ProtocolError("no, never"));
  });
});

describe("guardArbiter", () => {
  const guard = (authorizeSend: Arbiter["authorizeSend"]) => {
    const logger = createRecordingLogger();
    const arbiter = guardArbiter({ ...createAllowAllArbiter(), authorizeSend }, logger);
    return { arbiter, logger };
  };

  it("hands verdicts on as they are", () => {
    const verdict = { allow: false, reason: "custom denial" } as const;
    const { arbiter, logger } = guard(() => verdict);
    expect(arbiter.authorizeSend(request)).toBe(verdict);
    expect(arbiter.authorizeDispatch({ envelope, sender, recipient: sender })).toBe(ALLOW);
    expect(logger.lines).toEqual([]);
  });

  it("takes a fault for a refusal, logs it and keeps it from the refused side", () => {
    const { arbiter, logger } = guard(() => {
      throw new Error("database password wrong");
    });
    const attempt = () => decide(arbiter.authorizeSend(request));
    expect(attempt).toThrow(AccessDeniedError);
    expect(attempt).toThrow("authorizeSend");
    expect(attempt).not.toThrow("password");
    expect(logger.at("error")[0]?.fields).toEqual({
      gate: "authorizeSend",
      channel_id: "c",
      fault: "database password wrong",
    });
  });

  it("keeps a network error that a gate throws, and the gate's own this", () => {
    const arbiter = {
      ...createAllowAllArbiter(),
      reason: "not on Sundays",
      authorizeSend() {
        throw new ProtocolError(this.reason);
      },
    };
    const guarded = guardArbiter(arbiter, createRecordingLogger());
    expect(() => decide(guarded.authorizeSend(request))).toThrow(
      new ProtocolError("not on Sundays"),
    );
  });
});

describe("createAllowAllArbiter", () => {
  it("allows what every rule would refuse", () => {
    const arbiter = createAllowAllArbiter();
    const { passport, resume, rule } = sender;
    const manifest = {
      ...{ type: "t", version: 1, participants: { min: 2, max: 2, roles: [] } },
      ...{ knobs_schema: {}, default_view_policy: "full_transcript", expectations: [] },
    };
    const open = { manifest, creator: sender, invitees: [sender], openChannels: 1_000 };
    const verdicts = [
      arbiter.authorizeRegister({ passport, resume, rule }),
      arbiter.authorizeChannelOpen(open),
      arbiter.authorizeSend(request),
      arbiter.authorizeInbox({ envelope, recipient: sender, pending: 1_000_000 }),
      arbiter.authorizeDispatch({ envelope, sender, recipient: sender }),
    ];
    expect(verdicts.every(({ allow }) => allow)).toBe(true);
  });
});
