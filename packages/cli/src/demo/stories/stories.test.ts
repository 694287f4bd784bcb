import { describe, expect, it } from "vitest";
import { storyOf } from "./stories.js";
import { fillIn } from "./story.js";

describe("storyOf", () => {
  it("tells another story in every round until it begins again", () => {
    const titles = [1, 2, 3].map((round) => storyOf(round).title);
    expect(new Set(titles).size).toBe(3);
    expect(storyOf(4)).toBe(storyOf(1));
  });

  it.each([1, 2, 3])("gives everybody the same number of turns in round %i", (round) => {
    const { conversation, discussion } = storyOf(round);
    expect(conversation.length).toBe(6);
    expect(discussion.length).toBe(6);
    expect([...conversation, ...discussion].every((line) => line.length > 20)).toBe(true);
  });

  it.each([1, 2, 3])("names only variables that are set by then, in round %i", (round) => {
    const { grant, offer, decision, summary } = storyOf(round).workflow;
    const placesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(placesIn(grant)).toEqual(["budget"]);
    for (const text of [offer, decision, summary]) {
      for (const place of placesIn(text)) expect(["budget", "amount"]).toContain(place);
    }
  });
});

describe("fillIn", () => {
  it("puts values in the place of their names, and a mark where there is none", () => {
    const vars = { budget: 12 };
    expect(fillIn("{budget} crowns, {toString}", vars)).toBe("12 crowns, ?");
  });
});
