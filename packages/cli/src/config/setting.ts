import * as z from "zod";

/** What a setting takes, as a flag or an environment variable spells it. */
export type SettingKind = "text" | "integer" | "boolean" | "list" | "object";

/** One setting of a schema, by its place in a config file, and the names that it has elsewhere. */
export interface Setting {
  /** Place in a config file, e.g. `limits.deliveryWindow`. */
  readonly path: string;
  /** Environment variable, e.g. `COLLOQUY_LIMITS_DELIVERY_WINDOW`. */
  readonly variable: string;
  /** Flag, e.g. `--limits-delivery-window`; null for secrets, which a list of processes would show. */
  readonly flag: string | null;
  readonly kind: SettingKind;
  /** What it allows, in words that follow "give". */
  readonly expected: string;
  readonly default: unknown;
  /** Unit of its values; null for plain words. */
  readonly unit: string | null;
  /** What it does and when to change it. */
  readonly about: string;
  readonly secret: boolean;
  readonly schema: z.ZodType;
}

/** What `z.toJSONSchema` says of one setting, as far as it is used here. */
interface Described {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

const PREFIX = "COLLOQUY";

/** The settings of a schema in its order; nested objects give dotted paths. */
export function listSettings(schema: z.ZodObject, parents: readonly string[] = []): Setting[] {
  return Object.entries(schema.shape).flatMap(([key, field]) => {
    const path = [...parents, key];
    const inner = unwrap(field as z.ZodType);
    return inner instanceof z.ZodObject
      ? listSettings(inner, path)
      : [describeSetting(path, field as z.ZodType)];
  });
}

function describeSetting(path: readonly string[], schema: z.ZodType): Setting {
  const words = path.flatMap((part) => part.split(/(?=[A-Z])/).map((word) => word.toLowerCase()));
  const meta = schema.meta() ?? {};
  const described = z.toJSONSchema(schema, { io: "input" }) as Described;
  const secret = meta["secret"] === true;
  return {
    path: path.join("."),
    variable: [PREFIX, ...words].join("_").toUpperCase(),
    flag: secret ? null : `--${words.join("-")}`,
    kind: kindOf(described),
    expected: expectedOf(described),
    default: schema.parse(undefined),
    unit: typeof meta["unit"] === "string" ? meta["unit"] : null,
    about: meta.description ?? "",
    secret,
    schema,
  };
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema;
}

function kindOf({ type }: Described): SettingKind {
  if (type === "array") return "list";
  if (type === "integer" || type === "boolean" || type === "object") return type;
  return "text";
}

function expectedOf(described: Described): string {
  if (described.enum !== undefined) return `one of ${described.enum.join(", ")}`;
  switch (kindOf(described)) {
    case "integer":
      return `a whole number${rangeOf(described)}`;
    case "boolean":
      return "true or false";
    case "list":
      return "texts with commas between them";
    case "object":
      return "an object of names and texts";
    default:
      return "a text";
  }
}

function rangeOf({ minimum, maximum }: Described): string {
  const bounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (minimum !== undefined && bounded) return ` from ${minimum} to ${maximum}`;
  return minimum === undefined ? "" : ` from ${minimum} up`;
}
