import { describe, expect, it } from "vitest";
import { createResume } from "./resume.js";
import { parseSkillFrontmatter, renderFallbackSkill } from "./skill.js";

describe("parseSkillFrontmatter", () => {
  it.each([
    ["no header", { frontmatter: {}, body: "no header" }],
    ["---\nname: a", { frontmatter: {}, body: "---\nname: a" }],
    ["\n---\nname: a\n---\n", { frontmatter: {}, body: "\n---\nname: a\n---\n" }],
    ["---\n---\nbody", { frontmatter: {}, body: "body" }],
    ["---\nname: a\n---", { frontmatter: { name: "a" }, body: "" }],
    ["---\nname: a\n---\n\n# Hi\n", { frontmatter: { name: "a" }, body: "\n# Hi\n" }],
    [
      "---\n# note\n\n  url : https://x:1 \nplain\nlist: [1]\n---\nb",
      { frontmatter: { url: "https://x:1", list: "[1]" }, body: "b" },
    ],
    ["---\r\nname: a\r\n---\nb", { frontmatter: { name: "a" }, body: "b" }],
  ])("%j", (text, expected) => {
    expect(parseSkillFrontmatter(text)).toEqual(expected);
  });
});

const TEXT = "---\nname: ada\ndescription: Adds numbers\n---\n\n# Ada\n\nShe adds: always.\n";

describe("a skill text", () => {
  it("N-247 is taken apart into exactly its header and the body that follows", () => {
    const { frontmatter, body } = parseSkillFrontmatter(TEXT);
    expect(frontmatter).toEqual({ name: "ada", description: "Adds numbers" });
    expect(body).toBe("\n# Ada\n\nShe adds: always.\n");
  });

  it("N-248 without a header is all body", () => {
    const text = "# Ada\n\nname: not a header\n";
    expect(parseSkillFrontmatter(text)).toEqual({ frontmatter: {}, body: text });
  });

  it("N-249 may have blank lines and comments between the keys of its header", () => {
    const text = TEXT.replace("\ndescription", "\n\n# a comment: not a key\ndescription");
    expect(parseSkillFrontmatter(text)).toEqual(parseSkillFrontmatter(TEXT));
  });
});

describe("renderFallbackSkill", () => {
  it("N-250 N-251 starts with a header; tells capabilities, domains, track record and examples", () => {
    const resume = createResume({
      claimed_capabilities: ["math"],
      domains: ["law"],
      summary: "Adds.",
      observed: { b: { n: 1, expired: 1 }, a: { n: 3, completed: 2, failed: 1 } },
      examples: [{ title: "Sum", outcome: "4" }, { title: "Product" }],
    });
    expect(renderFallbackSkill({ name: "alice" }, resume)).toBe(`---
name: alice
description: Adds.
---

## Capabilities
- math

## Domains
- law

## Track record
- a: 2 completed / 1 failed / 0 expired (n=3)
- b: 0 completed / 0 failed / 1 expired (n=1)

## Examples
- Sum — 4
- Product — no outcome
`);
  });

  it("N-252 an empty resume still says something", () => {
    expect(renderFallbackSkill({ name: "a" }, createResume())).toBe(
      "---\nname: a\ndescription: Network-registered agent.\n---\n",
    );
  });

  it("lets no text break out of its line", () => {
    const resume = createResume({ summary: "one\n---\n## Capabilities\n- all" });
    const parsed = parseSkillFrontmatter(renderFallbackSkill({ name: "a" }, resume));
    expect(parsed.frontmatter["description"]).toBe("one --- ## Capabilities - all");
    expect(parsed.body.trim()).toBe("");
  });
});
