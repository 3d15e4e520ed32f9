import type { JsonObject, JsonValue } from "../../base/values/json.ts";
import type { Field, Fields } from "./value.ts";

/** The words a field may be written under. */
export function keysOf(key: string, { alias }: Field): string[] {
  return alias === undefined ? [key] : [key, alias];
}

/** A mapping to an editor: these keys, and no others. */
export function formOf(
  fields: Fields,
  rules: readonly JsonObject[] = [],
): JsonObject {
  const table = Object.entries(fields).filter(([, { sdk }]) => !sdk);
  const needed = table.filter(([, field]) => field.required);
  const aliased = table.filter(([, { alias }]) => alias !== undefined);
  const all: JsonObject[] = [
    ...aliased.map(([key, field]) => eitherKey(keysOf(key, field), field)),
    ...rules,
  ];
  const plain = needed.filter(([, { alias }]) => alias === undefined);
  return {
    type: "object",
    properties: Object.fromEntries(
      table.flatMap(([key, field]) =>
        keysOf(key, field).map((word): [string, JsonValue] => [
          word,
          { description: docOf(word, key, field), ...field.value.form },
        ])
      ),
    ),
    ...(plain.length > 0 && { required: plain.map(([key]) => key) }),
    additionalProperties: false,
    ...(all.length === 1 ? all[0] : all.length > 1 && { allOf: all }),
  };
}

/** What a key is for in few words. */
export function gist(doc: string): string {
  return doc.split("; ", 1)[0]!;
}

/** The line for a person, of a key or of another word for it. */
function docOf(
  word: string,
  key: string,
  { doc, fallback }: Field,
): string {
  if (word !== key) return `another word for \`${key}\``;
  if (fallback === undefined) return doc;
  const shown = /\s/.test(fallback) ? JSON.stringify(fallback) : fallback;
  return `${doc}; ${shown} by default`;
}

function eitherKey(words: readonly string[], field: Field): JsonObject {
  return field.required
    ? { oneOf: words.map((word) => ({ required: [word] })) }
    : { not: { required: [...words] } };
}
