/**
 * Newest values that have been staged and not yet committed, by id.
 *
 * A second change of the same record builds upon the first before either is durable, so that
 * versions count up; when a commit fails, what was staged for it is forgotten.
 */
export interface StagedValues<T> {
  get(id: string): T | undefined;
  set(id: string, value: T): void;
  /** The fate of this value is known; a newer one that was staged meanwhile stays. */
  settle(id: string, value: T): void;
}

/** Makes an empty {@link StagedValues}. */
export function createStagedValues<T>(): StagedValues<T> {
  const values = new Map<string, T>();
  return {
    get: (id) => values.get(id),
    set: (id, value) => void values.set(id, value),
    settle(id, value) {
      if (values.get(id) === value) values.delete(id);
    },
  };
}
