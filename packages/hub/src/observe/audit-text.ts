/**
 * JSON of an audit record, whatever it holds: what JSON cannot say is written as text, so that no
 * record is lost for one odd field.
 */
export function auditText(record: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(record, plain);
  } catch {
    const entries = Object.entries(record).map(([key, value]) => [key, flat(value)]);
    return JSON.stringify(Object.fromEntries(entries));
  }
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function") {
    return String(value);
  }
  return value instanceof Error ? value.message : value;
}

/** For a record with a cycle: a field that stands on its own is kept, the others become text. */
function flat(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value, plain) ?? "null");
  } catch {
    return String(value);
  }
}
