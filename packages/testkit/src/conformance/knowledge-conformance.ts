import { InvalidInputError, type KnowledgeStore } from "@colloquy/protocol";
import { describe, expect, it } from "vitest";

/** A knowledge store for one test, and how it ends. */
export interface KnowledgeSubject extends AsyncDisposable {
  readonly store: KnowledgeStore;
}

const DOCUMENTS = [
  {
    id: "mill",
    title: "The mill",
    text: "It was built in 1790 and still turns.",
    metadata: { page: 3 },
  },
  { id: "canal", title: "The canal", text: "Dug in 1871. Barges carry grain to the mill." },
  { id: "garden", title: "Gärten", text: `${"hazel ".repeat(60)}and a dry wall, naïvely built.` },
];

/**
 * Defines the tests that every `KnowledgeStore` passes: its rules K1 to K4.
 *
 * @param name - what is proven, for the test report
 * @param open - an empty store for each test
 */
export function runKnowledgeConformance(name: string, open: () => Promise<KnowledgeSubject>): void {
  const idsFor = async (store: KnowledgeStore, query: string, limit?: number) =>
    (await store.search(query, limit)).map(({ id }) => id);

  describe(`knowledge conformance: ${name}`, () => {
    it("K1: finds what was put, and in its place what replaced it", async () => {
      await using subject = await open();
      const { store } = subject;
      await store.put(DOCUMENTS);
      expect(await idsFor(store, "barges")).toEqual(["canal"]);
      expect(await store.get("mill")).toEqual(DOCUMENTS[0]);
      await store.put([{ id: "canal", text: "Closed." }]);
      expect(await idsFor(store, "barges")).toEqual([]);
      expect(await store.get("canal")).toEqual({
        id: "canal",
        title: "",
        text: "Closed.",
        metadata: {},
      });
      expect(await store.get("nothing")).toBeNull();
    });

    it("K2: finds any of the words, whatever their case and accents, best first", async () => {
      await using subject = await open();
      const { store } = subject;
      await store.put(DOCUMENTS);
      expect(await idsFor(store, "MILL")).toEqual(["mill", "canal"]);
      expect((await idsFor(store, "barges mill"))[0]).toBe("canal");
      expect(await idsFor(store, "garten")).toEqual(["garden"]);
      expect(await idsFor(store, "naively")).toEqual(["garden"]);
      expect(await idsFor(store, "no such words")).toEqual([]);
      const hits = await store.search("built hazel mill");
      const scores = hits.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      expect(scores.every((score) => score > 0)).toBe(true);
      expect(hits.find(({ id }) => id === "mill")?.metadata).toEqual({ page: 3 });
      expect(await idsFor(store, "mill", 1)).toEqual(["mill"]);
    });

    it("K2: takes everything but words for what parts them", async () => {
      await using subject = await open();
      const { store } = subject;
      await store.put(DOCUMENTS);
      for (const query of [
        '"mill"',
        "mill*",
        "NEAR(mill, 2)",
        "title:mill",
        "mill -canal",
        "(mill",
        "'; --mill",
      ]) {
        expect(await idsFor(store, query), query).toContain("mill");
      }
      for (const query of ["", " ", '"', "***", "()", "\u0000", "\ud800"]) {
        expect(await idsFor(store, query), query).toEqual([]);
      }
    });

    it("shows up to 240 characters around the word", async () => {
      await using subject = await open();
      const { store } = subject;
      await store.put(DOCUMENTS);
      const [garden] = await store.search("wall");
      expect(garden?.excerpt).toContain("wall");
      expect([...(garden?.excerpt ?? "")].length).toBeLessThanOrEqual(240);
      expect((await store.search("1790"))[0]?.excerpt).toBe(
        "It was built in 1790 and still turns.",
      );
    });

    it("K3: finds no more what was removed", async () => {
      await using subject = await open();
      const { store } = subject;
      await store.put(DOCUMENTS);
      await store.remove(["mill", "nothing"]);
      expect(await idsFor(store, "mill")).toEqual(["canal"]);
      expect(await store.get("mill")).toBeNull();
    });

    it("K4: refuses wrong input by its field, and changes nothing", async () => {
      await using subject = await open();
      const { store } = subject;
      const wrong = [
        { id: "good", text: "word" },
        { id: "", text: "word" },
      ];
      await expect(store.put(wrong)).rejects.toBeInstanceOf(InvalidInputError);
      await expect(store.put(wrong)).rejects.toThrow(/\[1\]\.id/);
      await expect(store.put([{ id: "x", text: 7 } as never])).rejects.toThrow(/\[0\]\.text/);
      expect(await idsFor(store, "word")).toEqual([]);
      await expect(store.search("word", 0)).rejects.toThrow(/limit/);
      await expect(store.search("x".repeat(1_001))).rejects.toThrow(/query/);
    });
  });
}
