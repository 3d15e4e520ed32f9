import { nearest } from "../../base/text/suggest.ts";
import { describe, type Entry, type MapNode, type Node } from "./node.ts";
import type { Reader } from "./reader.ts";
import type { Form } from "./form.ts";
import { reportUnquotedTemplate } from "./scalars.ts";

/** What may stand under one key; read by the parser and the editor schema. */
export interface KeyRule {
  readonly required?: true;
  /** One line for a person, shown by editors. */
  readonly doc: string;
  /** What may stand under it; anything when absent. */
  readonly form?: Form;
}

/** The keys of one mapping, in the order they are listed to a person. */
export type KeyTable = Readonly<Record<string, KeyRule>>;

/** A mapping whose keys have been checked against their table. */
export interface Fields<Key extends string> {
  readonly node: MapNode;
  get(key: Key): Entry | undefined;
}

/**
 * Looks at a key that is not in the table; true when it was reported with
 * better words than "unknown key".
 */
export type ForeignKey = (entry: Entry) => boolean;

/**
 * Reads `node` as a mapping with the keys of `table`. Unknown and missing keys
 * are reported and reading goes on, so that one pass finds every mistake.
 *
 * @param what the mapping in words, such as "step `login`" or "`retry`"
 * @returns undefined when `node` is no mapping at all
 */
export function readMapping<Table extends KeyTable>(
  node: Node,
  table: Table,
  what: string,
  reader: Reader,
  foreign: ForeignKey = () => false,
): Fields<keyof Table & string> | undefined {
  if (node.kind === "map" && node.unquotedTemplate) {
    reportUnquotedTemplate(node.at, node.unquotedTemplate, reader);
    return;
  }
  if (node.kind !== "map") {
    reader.report({
      at: node.at,
      code: "wrong-type",
      message: `${what} must be a mapping, but it is ${describe(node)}`,
      hint: `keys: ${Object.keys(table).join(", ")}`,
    });
    return;
  }
  const found = new Map<string, Entry>();
  // A misspelt key is one mistake: what it was meant to be is not missing too.
  const meant = new Set<string | undefined>();
  for (const entry of node.entries) {
    if (Object.hasOwn(table, entry.key)) found.set(entry.key, entry);
    else if (!foreign(entry)) {
      meant.add(reportUnknownKey(entry, Object.keys(table), what, reader));
    }
  }
  for (const [key, rule] of Object.entries(table)) {
    if (!rule.required || found.has(key) || meant.has(key)) continue;
    reader.report({
      at: node.at,
      code: "missing-key",
      message: `${what} needs \`${key}\``,
      hint: `\`${key}\`: ${rule.doc}`,
    });
  }
  return { node, get: (key) => found.get(key) };
}

/** Reports a key that `what` does not have; returns the one it likely means. */
function reportUnknownKey(
  entry: Entry,
  keys: readonly string[],
  what: string,
  reader: Reader,
): string | undefined {
  const near = nearest(entry.key, keys);
  reader.report({
    at: entry.keyAt,
    code: "unknown-key",
    message: `unknown key \`${entry.key}\` in ${what}`,
    hint: near
      ? `did you mean \`${near}\`?`
      : `allowed here: ${keys.join(", ")}`,
  });
  return near;
}
