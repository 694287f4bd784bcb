/** What a process of the benchmark can be asked to do: plain data in, plain data out. */
export type Commands = { readonly [name: string]: (params: never) => Promise<unknown> };

/** Input of one command. */
export type ParamsOf<C extends Commands, Name extends keyof C> = Parameters<C[Name]>[0];

/** What one command gives. */
export type ResultOf<C extends Commands, Name extends keyof C> = Awaited<ReturnType<C[Name]>>;

/** Parent to child. */
export interface CommandCall {
  readonly id: number;
  readonly name: string;
  readonly params: unknown;
}

/** Child to parent. */
export type CommandAnswer =
  | { readonly id: number; readonly ok: true; readonly result: unknown }
  | { readonly id: number; readonly ok: false; readonly error: string };
