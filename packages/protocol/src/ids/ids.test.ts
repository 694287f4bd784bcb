import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHubUrn } from "./hub-urn.js";
import { idTime, isId } from "./id.js";
import { createIdSource } from "./id-source.js";

const stepping = (times: number[]) => {
  let at = 0;
  return {
    now: () => times[Math.min(at++, times.length - 1)] ?? 0,
    setTimer: () => ({ cancel: () => undefined }),
  };
};

describe("createIdSource", () => {
  it("sorts every id above the earlier ones, whatever the clock does", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 2_000_000_000_000 }), { minLength: 2 }),
        (times) => {
          const ids = createIdSource({ clock: stepping(times) });
          const made = times.map(() => ids.next());
          expect([...made].sort()).toEqual(made);
          expect(new Set(made).size).toBe(made.length);
          expect(made.every(isId)).toBe(true);
        },
      ),
    );
  });

  it("goes on above the newest stored id after a restart with a clock set back", () => {
    const before = createIdSource({ clock: stepping([1_900_000_000_000]) }).next();
    const ids = createIdSource({ clock: stepping([1_000]) });
    ids.advancePast(before);
    expect(ids.next() > before).toBe(true);
  });

  it("ignores an id of another form", () => {
    const ids = createIdSource({ clock: stepping([5_000]) });
    ids.advancePast("zzz");
    expect(idTime(ids.next())).toBe(5_000);
  });
});

describe("parseHubUrn", () => {
  it("N-198 splits a hub and an agent", () => {
    expect(parseHubUrn("hub://h1/a42")).toEqual({ hub_id: "h1", agent_id: "a42" });
  });

  it.each(["a42", "", "hub://h1", "hub:///a", "hub://h/"])("N-199 gives %j back whole", (text) => {
    expect(parseHubUrn(text)).toEqual({ hub_id: null, agent_id: text });
  });
});
