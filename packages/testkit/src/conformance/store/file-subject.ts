import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { Store } from "@colloquy/protocol";
import { makeTempFolder } from "../../fakes/temp-folder.js";
import type { StoreFactory } from "./store-subject.js";

/** How to make subjects of a store that keeps everything in files. */
export interface FileStoreOptions {
  /** Opens the store in the file; creates it when it is not there. */
  open(path: string): Promise<Store>;
  /** What is appended to the path for each of its files. */
  readonly suffixes: readonly string[];
  /** Damages what is stored of one channel; the store is closed. */
  damage(path: string, channelId: string): void;
  /** Keeps the store from writing until the returned function is called. */
  obstruct?(path: string): () => void;
  /** Folder for the files; default: the system's place for temporary files. */
  readonly parent?: string | undefined;
}

/**
 * A factory of subjects for stores in files. A crash is an image of the files at that moment: that is
 * what a killed process leaves.
 */
export function fileStoreFactory(options: FileStoreOptions): StoreFactory {
  const { open, suffixes, damage, parent } = options;
  const obstruct = (path: string) => options.obstruct?.(path) ?? (() => undefined);
  return async () => {
    const folder = makeTempFolder(parent);
    let path = folder.at("store");
    let images = 0;
    const store = await open(path);
    let newest = store;
    const reopen = async () => {
      newest = await open(path);
      return newest;
    };
    return {
      store,
      reopen,
      async crash() {
        images += 1;
        const image = folder.at(`image-${images}`);
        for (const suffix of suffixes.filter((one) => existsSync(path + one)))
          copy(path, image, suffix);
        await newest.close();
        path = image;
        return reopen();
      },
      damage: async (channelId) => damage(path, channelId),
      ...(options.obstruct === undefined ? {} : { obstruct: () => obstruct(path) }),
      async dispose() {
        await newest.close();
        folder[Symbol.dispose]();
      },
    };
  };
}

/** In another process: opening and closing a file here would drop the locks that a store holds on it. */
function copy(path: string, image: string, suffix: string): void {
  execFileSync("cp", [path + suffix, image + suffix]);
}
