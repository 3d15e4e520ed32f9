import type { JsonObject, JsonValue } from "../../base/values/json.ts";
import type { Field, Fields } from "./field.ts";

/** The words a field may be written under. */
export function keysOf(key: string, { alias }: Field): string[] {
  return alias === undefined ? [key] : [key, alias];
}

/** The `$comment` of a key that not every version of the flow file has. */
export const VERSION_MARK = "version ";

/** A mapping to an editor: these keys, and no others. */
export function formOf(
  fields: Fields,
  rules: readonly JsonObject[] = [],
): JsonObject {
  const table = Object.entries(fields);
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
          {
            description: docOf(word, key, field),
            ...field.value.form,
            ...(field.version && { $comment: VERSION_MARK + field.version }),
          },
        ])
      ),
    ),
    ...(plain.length > 0 && { required: plain.map(([key]) => key) }),
    additionalProperties: false,
    ...(all.length === 1 ? all[0] : all.length > 1 && { allOf: all }),
  };
}

/** The purpose of a key in few words. */
export function gist(doc: string): string {
  return doc.split("; ", 1)[0]!;
}

/** The line for a person, of a key or of another word for it. */
function docOf(
  word: string,
  key: string,
  { doc, fallback, version }: Field,
): string {
  if (word !== key) return `another word for \`${key}\``;
  const since = version ? ` (version ${version})` : "";
  if (fallback === undefined) return doc + since;
  const shown = /\s/.test(fallback) ? JSON.stringify(fallback) : fallback;
  return `${doc}; ${shown} by default${since}`;
}

function eitherKey(words: readonly string[], field: Field): JsonObject {
  return field.required
    ? { oneOf: words.map((word) => ({ required: [word] })) }
    : { not: { required: [...words] } };
}
