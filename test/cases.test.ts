import { describe, expect, it } from "vitest";
import { citationsIn, findCitations } from "./cases/cited-cases.js";
import { renderTable, TABLE } from "./cases/render-table.js";
import { areaOf, LATER, listRequired } from "./cases/required.js";
import { readText } from "./source-files.js";

describe("the table of cases", () => {
  const citations = findCitations();
  const cited = new Set(citations.flatMap(({ ids }) => ids));

  it("is as `npm run cases` writes it", () => {
    expect(readText(TABLE)).toBe(renderTable(citations));
  });

  it("knows every case that a test cites", () => {
    expect([...cited].filter((id) => areaOf(id) === undefined)).toEqual([]);
  });

  it("puts off only required cases that no test holds", () => {
    const required = new Set(listRequired());
    expect(Object.keys(LATER).filter((id) => !required.has(id) || cited.has(id))).toEqual([]);
  });

  it("has a test for every required case", () => {
    expect(listRequired().filter((id) => !cited.has(id) && !(id in LATER))).toEqual([]);
  });
});

describe("citations", () => {
  const read = (text: string) => citationsIn("a.test.ts", text).map(({ ids }) => ids.join(" "));

  it("are the ids in front of a title", () => {
    expect(read('it("N-034 three are refused", () => {});')).toEqual(["N-034"]);
    expect(read(`test(\`N-034 F-018: both \${x}\`, () => {});`)).toEqual(["N-034 F-018"]);
    expect(read('it.each([1])("N-001 %s", () => {});')).toEqual(["N-001"]);
    expect(read('it("no case, unlike N-034", () => {});')).toEqual([]);
  });

  it("do not count where the test is skipped", () => {
    expect(read('it.skip("N-034 x", () => {});')).toEqual([]);
    expect(read('it.fails("N-034 x", () => {});')).toEqual([]);
    expect(read('describe.skip("x", () => { it("N-034 x", () => {}); });')).toEqual([]);
    expect(read('// it("N-034 x")')).toEqual([]);
  });
});
