/** Tasks whose outcome has been counted, newest so many, in this process. */
export interface CountedTasks {
  /** False when the key is known. */
  add(key: string): boolean;
  remove(key: string): void;
}

/** Tasks that are remembered; a repeat comes soon after the first report, not after so many others. */
const REMEMBERED = 65_536;

/** Makes an empty {@link CountedTasks}. */
export function createCountedTasks(remembered: number = REMEMBERED): CountedTasks {
  const keys = new Set<string>();
  return {
    add(key) {
      if (keys.has(key)) return false;
      keys.add(key);
      if (keys.size > remembered) {
        for (const oldest of keys) {
          keys.delete(oldest);
          break;
        }
      }
      return true;
    },
    remove: (key) => void keys.delete(key),
  };
}
