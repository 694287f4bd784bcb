import { createEnvelope, createPassport, createResume, createRule } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";
import { createAllowAllArbiter } from "./allow-all-arbiter.js";
import { ALLOW, type Arbiter, type SendRequest } from "./arbiter.js";
import { composeArbiter } from "./compose-arbiter.js";
import { createRuleArbiter } from "./rule-arbiter.js";

const party = {
  id: "a",
  passport: createPassport({ name: "ada" }),
  resume: createResume(),
  rule: createRule({ limits: { delegation_depth: 1, rate: { per_minute: 1, burst: 1 } } }),
};
const envelope = createEnvelope({ channel_id: "c", event_type: "x", event_data: {}, depth: 9 });
const send: SendRequest = { envelope, sender: party, recipients: [] };
const rate = { envelope, sender: party, used: 1, now: 0 };

describe("composeArbiter", () => {
  it("replaces the gates that are given and keeps the base's others", () => {
    const arbiter = composeArbiter(createRuleArbiter(), {
      authorizeSend: () => ALLOW,
      authorizeInbox: undefined,
    });
    expect(arbiter.authorizeSend(send).allow).toBe(true);
    expect(arbiter.authorizeRate(rate).allow).toBe(false);
    const full = { ...party, rule: createRule({ limits: { inbox: { max_pending: 1 } } }) };
    expect(arbiter.authorizeInbox({ envelope, recipient: full, pending: 1 }).allow).toBe(false);
  });

  it("calls each gate with its own object", () => {
    class Counting {
      asked = 0;
      authorizeRate(): { allow: true } {
        this.asked += 1;
        return { allow: true };
      }
    }
    const gates = new Counting();
    const arbiter = composeArbiter(createAllowAllArbiter(), gates);
    arbiter.authorizeRate(rate);
    composeArbiter(arbiter, {}).authorizeRate(rate);
    expect(gates.asked).toBe(2);
  });

  it("refuses what is no gate", () => {
    const compose = (gates: object) => () =>
      composeArbiter(createAllowAllArbiter(), gates as Partial<Arbiter>);
    expect(compose({ authorizeSent: () => ALLOW })).toThrow("there is no gate 'authorizeSent'");
    expect(compose({ authorizeSend: true })).toThrow(
      "gate authorizeSend must be a function, got boolean",
    );
  });
});
