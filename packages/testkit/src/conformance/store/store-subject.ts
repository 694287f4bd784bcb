import type { Store } from "@colloquy/protocol";

/** A store under test, with what the suite needs around it. */
export interface StoreSubject {
  /** Open and empty. */
  readonly store: Store;
  /** Opens the same content again. Called after the store was closed. */
  reopen(): Promise<Store>;
  /**
   * Ends the newest store as a killed process ends, without a chance to write anything, and opens
   * the same content again.
   */
  crash(): Promise<Store>;
  /** Damages what is stored of one channel, while the store is closed. Everything else stays whole. */
  damage(channelId: string): Promise<void>;
  /**
   * Keeps the newest store from writing, as a lock or a full disk does, until the returned function
   * is called. Left out where nothing outside can hinder a store.
   */
  obstruct?(): () => void;
  /** Closes what is open and removes what is left. */
  dispose(): Promise<void>;
}

/** Makes a fresh subject for every test. */
export type StoreFactory = () => Promise<StoreSubject>;

/** Runs a test's body on a fresh subject and clears it away. */
export type WithStore = (
  body: (store: Store, subject: StoreSubject) => Promise<void>,
) => () => Promise<void>;

/** Binds {@link WithStore} to a factory. */
export function withStoreOf(factory: StoreFactory): WithStore {
  return (body) => async () => {
    const subject = await factory();
    try {
      await body(subject.store, subject);
    } finally {
      await subject.dispose();
    }
  };
}
