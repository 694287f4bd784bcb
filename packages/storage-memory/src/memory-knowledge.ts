import {
  checkDocuments,
  checkKnowledgeSearch,
  excerptAround,
  type KnowledgeDocument,
  type KnowledgeHit,
  type KnowledgeStore,
  knowledgeWords,
} from "@colloquy/protocol";

/** Weight of a word in the title, beside one in the text. */
const TITLE_WEIGHT = 2;
/** How soon further occurrences of a word count less, and how much long texts do: BM25's usual values. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

interface Entry {
  readonly document: KnowledgeDocument;
  /** How often each word stands in it, the title's counted as its weight says. */
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** A {@link KnowledgeStore} in memory, ranked by BM25. */
export function createMemoryKnowledge(): KnowledgeStore {
  const entries = new Map<string, Entry>();
  return {
    async put(documents) {
      const checked = checkDocuments(documents);
      for (const document of checked) entries.set(document.id, index(structuredClone(document)));
    },
    async remove(ids) {
      for (const id of ids) entries.delete(id);
    },
    async get(id) {
      const entry = entries.get(id);
      return entry === undefined ? null : structuredClone(entry.document);
    },
    async search(query, limit) {
      const checked = checkKnowledgeSearch(query, limit);
      const words = [...new Set(knowledgeWords(checked.query))];
      return rank([...entries.values()], words).slice(0, checked.limit);
    },
    async close() {
      entries.clear();
    },
  };
}

function index(document: KnowledgeDocument): Entry {
  const counts = new Map<string, number>();
  const add = (words: readonly string[], weight: number): void => {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + weight);
  };
  const text = knowledgeWords(document.text);
  add(knowledgeWords(document.title), TITLE_WEIGHT);
  add(text, 1);
  return { document, counts, length: text.length + 1 };
}

function rank(entries: readonly Entry[], words: readonly string[]): KnowledgeHit[] {
  const mean = entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, entries.length);
  const weights = words.map((word) => {
    const holders = entries.filter(({ counts }) => counts.has(word)).length;
    return Math.log(1 + (entries.length - holders + 0.5) / (holders + 0.5));
  });
  const scoreOf = ({ counts, length }: Entry): number =>
    words.reduce((score, word, at) => {
      const count = counts.get(word) ?? 0;
      const long = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / mean);
      return score + ((weights[at] ?? 0) * count * (SATURATION + 1)) / (count + long);
    }, 0);
  return entries
    .map((entry) => toHit(entry, scoreOf(entry), words))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

function toHit({ document, counts }: Entry, score: number, words: readonly string[]): KnowledgeHit {
  const { id, title, text, metadata } = document;
  const found = words.find((word) => counts.has(word)) ?? "";
  return {
    id,
    title,
    excerpt: excerptAround(text, found),
    score,
    metadata: structuredClone(metadata),
  };
}
