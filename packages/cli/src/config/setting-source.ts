/** Where the value of a setting came from. */
export type SettingSource =
  | { readonly kind: "flag"; readonly name: string }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "file"; readonly name: string }
  | { readonly kind: "default" };

/** A value that somebody gave for a setting. */
export interface GivenSetting {
  readonly path: string;
  readonly value: unknown;
  readonly source: SettingSource;
}

/** A source in words, for messages: `flag --port`. */
export function describeSource(source: SettingSource): string {
  switch (source.kind) {
    case "flag":
      return `flag ${source.name}`;
    case "variable":
      return `environment variable ${source.name}`;
    case "file":
      return `file ${source.name}`;
    case "default":
      return "default";
  }
}
