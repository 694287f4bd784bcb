import * as z from "zod";
import { parseWith } from "../json/explain-issue.js";

/** Bounds of a knowledge store. */
export const KNOWLEDGE_LIMITS = {
  /** Characters of an id. */
  id: 256,
  /** Characters of a title. */
  title: 1_000,
  /** Characters of one document's text. */
  text: 1_000_000,
  /** Characters of a query. */
  query: 1_000,
  /** Hits of one search. */
  hits: 100,
} as const;

/** Hits of a search that names no number. */
export const DEFAULT_KNOWLEDGE_HITS = 10;

const documentSchema = z.strictObject({
  id: z.string().min(1).max(KNOWLEDGE_LIMITS.id),
  title: z.string().max(KNOWLEDGE_LIMITS.title).default(""),
  text: z.string().max(KNOWLEDGE_LIMITS.text),
  /** Facts for programs, as JSON; not searched. */
  metadata: z.record(z.string(), z.json()).default({}),
});

/** Something that an agent can look up. */
export type KnowledgeDocument = z.output<typeof documentSchema>;
/** A document as it is put: title and metadata may be left out. */
export type KnowledgeInput = z.input<typeof documentSchema>;

const searchSchema = z.strictObject({
  query: z.string().max(KNOWLEDGE_LIMITS.query),
  limit: z.int().min(1).max(KNOWLEDGE_LIMITS.hits).default(DEFAULT_KNOWLEDGE_HITS),
});

/** A document that was found. */
export interface KnowledgeHit {
  readonly id: string;
  readonly title: string;
  /** Up to 240 characters around the first word that was found. */
  readonly excerpt: string;
  /** The higher, the better it fits. Only for comparing hits of one search. */
  readonly score: number;
  readonly metadata: KnowledgeDocument["metadata"];
}

/**
 * Documents that an agent can look up by words.
 *
 * - K1: what `put` has resolved for is found by the next search; a document of a known id replaces it.
 * - K2: a search finds the documents that hold any of its words, in any case and with or without
 *   accents, best first: more of the words, rarer ones, in the title or more often. A query is words
 *   only; whatever else stands in it parts them. One without a word finds nothing.
 * - K3: what was removed is found no more; removing what is not there does nothing.
 * - K4: wrong input is an `InvalidInputError` that names the field, and changes nothing.
 */
export interface KnowledgeStore {
  /** Adds or replaces documents, all or none. */
  put(documents: readonly KnowledgeInput[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** The document of an id; null for none. */
  get(id: string): Promise<KnowledgeDocument | null>;
  /** @param limit - most hits, 1 to 100; default 10 */
  search(query: string, limit?: number): Promise<readonly KnowledgeHit[]>;
  close(): Promise<void>;
}

/** Checks documents and fills in the defaults; for implementations of {@link KnowledgeStore}. */
export function checkDocuments(documents: readonly KnowledgeInput[]): KnowledgeDocument[] {
  return parseWith(z.array(documentSchema), documents, "documents");
}

/** Checks a search and fills in the defaults; for implementations of {@link KnowledgeStore}. */
export function checkKnowledgeSearch(
  query: string,
  limit?: number,
): { query: string; limit: number } {
  return parseWith(searchSchema, { query, limit }, "knowledge search");
}

/** The words of a text, as a search compares them: without case and accents, each as often as it stands there. */
export function knowledgeWords(text: string): string[] {
  const bare = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  return bare.match(/[\p{L}\p{N}]+/gu) ?? [];
}
