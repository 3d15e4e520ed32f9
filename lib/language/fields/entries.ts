import { nearest } from "../../base/text/suggest.ts";
import type { Entry, MapNode, Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { gist, keysOf } from "./form.ts";
import { wrongType } from "./refuse.ts";
import type { Fields } from "./value.ts";

/** Finds what is written under a key. */
export type Find = (key: string) => Entry | undefined;

/**
 * Looks at a key that is not in the table; true when it was reported with
 * better words than "unknown key".
 */
export type Foreign = (entry: Entry, what: string, reader: Reader) => boolean;

/** A key with nothing behind its colon. */
export function isNothing(node: Node): boolean {
  return node.kind === "scalar" && node.value === null;
}

/**
 * Reads `node` as a mapping with the keys of `fields`. Unknown and missing keys
 * are reported and reading continues, so that one pass finds every error.
 *
 * @param what the mapping in words, such as "step `login`" or "`retry`"
 * @returns undefined when `node` is no mapping at all
 */
export function readEntries(
  node: Node,
  fields: Fields,
  what: string,
  reader: Reader,
  { foreign = () => false, hint }: {
    readonly foreign?: Foreign | undefined;
    /** A way out for what is no mapping; its keys when absent. */
    readonly hint?: string | undefined;
  } = {},
): { readonly node: MapNode; readonly get: Find } | undefined {
  const table = Object.entries(fields)
    .filter(([, { sdk }]) => !sdk || reader.surface === "sdk");
  const keys = table.flatMap(([key, field]) => keysOf(key, field));
  if (node.kind !== "map" || node.unquotedTemplate) {
    const expected = `${what} must be a mapping`;
    return wrongType(
      node,
      expected,
      reader,
      hint ?? `keys: ${keys.join(", ")}`,
    );
  }
  const found = new Map<string, Entry>();
  // A misspelt key is one error: what it was meant to be is not missing too.
  const meant = new Set<string | undefined>();
  for (const entry of node.entries) {
    if (keys.includes(entry.key)) found.set(entry.key, entry);
    else if (!foreign(entry, what, reader)) {
      meant.add(reportUnknownKey(entry, keys, what, reader));
    }
  }
  for (const [key, field] of table) {
    const words = keysOf(key, field);
    const [first, second] = words.filter((word) => found.has(word));
    if (first && second) reportBoth(first, found.get(second)!, reader);
    if (first && !found.has(key)) found.set(key, found.get(first)!);
    if (!field.required || first || words.some((word) => meant.has(word))) {
      continue;
    }
    reader.report({
      at: node.at,
      code: "missing-key",
      message: `${what} needs ${
        words.map((word) => `\`${word}\``).join(" or ")
      }`,
      hint: `\`${key}\`: ${gist(field.doc)}`,
    });
  }
  return { node, get: (key) => found.get(key) };
}

function reportBoth(key: string, second: Entry, reader: Reader): void {
  reader.report({
    at: second.keyAt,
    code: `${key}-and-${second.key}`,
    message:
      `\`${key}\` and \`${second.key}\` mean the same, so only one of them can be written`,
    hint: "remove one of them",
  });
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
