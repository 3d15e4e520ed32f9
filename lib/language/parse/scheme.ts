import type { Scheme } from "../../steps/auth/scheme.ts";
import { type KeyTable, readMapping } from "../source/mapping.ts";
import { describe, type Entry, type Node } from "../source/node.ts";
import { reportTemplates } from "../source/payload.ts";
import type { Reader } from "../source/reader.ts";
import { readChoice, readString } from "../source/scalars.ts";
import type { SourceLocation } from "../../base/text/location.ts";
import { nearest } from "../../base/text/suggest.ts";
import type { JsonObject, JsonValue } from "../../base/values/json.ts";
import { child } from "../../base/values/pointer.ts";

type Schemes = ReadonlyMap<string, Scheme>;

/**
 * Reads an `auth` mapping into its IR block, defaults filled in.
 *
 * @param locations gets the place of each key, by JSON Pointer below the block
 * @returns undefined when a part cannot be read
 */
export function readScheme(
  node: Node,
  schemes: Schemes,
  locations: Map<string, SourceLocation>,
  reader: Reader,
): JsonObject | undefined {
  const scheme = findScheme(node, schemes, reader);
  if (!scheme) return;
  const table: KeyTable = {
    scheme: { required: true, doc: [...schemes.keys()].join(", ") },
    ...scheme.keys,
  };
  const what = `\`${scheme.name}\` auth`;
  const mistakes = reader.diagnostics.count;
  const fields = readMapping(
    node,
    table,
    what,
    reader,
    (entry) => reportOtherScheme(entry, scheme, schemes, reader),
  );
  if (!fields) return;
  const block: Record<string, JsonValue> = {
    scheme: scheme.name,
    ...scheme.defaults,
  };
  for (const key of Object.keys(scheme.keys)) {
    const entry = fields.get(key);
    if (!entry) continue;
    locations.set(child("", key), entry.value.at);
    const value = readField(entry, scheme, reader);
    if (value !== undefined) block[key] = value;
  }
  return reader.diagnostics.count === mistakes ? block : undefined;
}

function findScheme(
  node: Node,
  schemes: Schemes,
  reader: Reader,
): Scheme | undefined {
  const names = [...schemes.keys()];
  if (node.kind !== "map" || node.unquotedTemplate) {
    const word = node.kind === "scalar" && schemes.has(node.text)
      ? node.text
      : "bearer";
    reader.report({
      at: node.at,
      code: "wrong-type",
      message: `\`auth\` must be a mapping, but it is ${describe(node)}`,
      hint: `write \`auth: { scheme: ${word}${
        word === "none" ? "" : ", ..."
      } }\``,
    });
    return;
  }
  const entry = node.entries.find(({ key }) => key === "scheme");
  if (!entry) {
    reader.report({
      at: node.at,
      code: "missing-key",
      message: "`auth` needs `scheme`",
      hint: `one of: ${names.join(", ")}`,
    });
    return;
  }
  const name = readString(entry.value, "`scheme`", reader);
  if (name === undefined) return;
  const scheme = schemes.get(name);
  if (scheme) return scheme;
  const near = names.find((each) => each.startsWith(name.toLowerCase())) ??
    nearest(name, names);
  reader.report({
    at: entry.value.at,
    code: "unknown-value",
    message: `unknown auth scheme \`${name}\``,
    hint: near && name !== ""
      ? `did you mean \`${near}\`?`
      : `one of: ${names.join(", ")}`,
  });
}

function readField(
  { key, value: node }: Entry,
  scheme: Scheme,
  reader: Reader,
): JsonValue | undefined {
  const what = `\`${key}\``;
  const choices = scheme.choices[key];
  if (choices) return readChoice(node, what, choices, reader);
  const readOne = (item: Node) => {
    const text = readString(item, what, reader);
    return text === undefined || !scheme.templated.includes(key)
      ? text
      : reportTemplates(item, text, reader);
  };
  if (!scheme.lists.includes(key)) return readOne(node);
  const items = node.kind === "list" ? node.items : [node];
  // A list is written as one string, too (RFC 6749 section 3.3).
  const values = items.flatMap((item) =>
    readOne(item)?.match(/(?:\{\{.*?\}\}|\S)+/g) ?? []
  );
  return values.length > 0 ? values : undefined;
}

/** Says whose key it is when another scheme has it. */
function reportOtherScheme(
  { key, keyAt }: Entry,
  scheme: Scheme,
  schemes: Schemes,
  reader: Reader,
): boolean {
  const owners = [...schemes.values()].filter((each) =>
    Object.hasOwn(each.keys, key)
  ).map(({ name }) => `\`${name}\``);
  if (owners.length === 0) return false;
  const own = Object.keys(scheme.keys);
  reader.report({
    at: keyAt,
    code: "other-scheme",
    message: `\`${key}\` belongs to ${
      owners.join(" and ")
    }, not to \`${scheme.name}\``,
    hint: own.length === 0
      ? `\`${scheme.name}\` takes no keys`
      : `keys of \`${scheme.name}\`: ${own.join(", ")}`,
  });
  return true;
}
