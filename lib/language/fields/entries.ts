import { didYouMean } from "../../base/text/suggest.ts";
import { elsewhere, offeredBy, type Place } from "../expressions/elsewhere.ts";
import { child } from "../../base/values/pointer.ts";
import type { Entry, MapNode, Node } from "../source/node.ts";
import { gist, keysOf } from "./form.ts";
import type { Slot } from "./slot.ts";
import type { Fields } from "./value.ts";

/** Finds what is written under a key. */
export type Find = (key: string) => Entry | undefined;

/**
 * Looks at a key that is not in the table; true when it was reported with
 * better words than "unknown key".
 */
export type Foreign = (entry: Entry, slot: Slot) => boolean;

/** A key with nothing behind its colon. */
export function isNothing(node: Node): boolean {
  return node.kind === "scalar" && node.value === null;
}

/**
 * Reads a mapping with the keys of `fields`. Unknown and missing keys are
 * reported and reading continues, so that one pass finds every error.
 *
 * @returns undefined when it is no mapping at all
 */
export function readEntries(
  slot: Slot,
  fields: Fields,
  { foreign = () => false, places = [], hint }: {
    readonly foreign?: Foreign | undefined;
    /** Where words of other tools are looked for. */
    readonly places?: readonly Place[] | undefined;
    /** A way out for what is no mapping; its keys when absent. */
    readonly hint?: string | undefined;
  } = {},
): { readonly node: MapNode; readonly get: Find } | undefined {
  const { what, reader } = slot;
  const table = Object.entries(fields)
    .filter(([, { version = 0 }]) => version <= reader.version);
  const keys = table.flatMap(([key, field]) => keysOf(key, field));
  const way = hint ?? `keys: ${keys.join(", ")}`;
  const node = slot.map(`${what} must be a mapping`, way);
  if (!node) return;
  const found = new Map<string, Entry>();
  // A misspelt key is one error: what it was meant to be is not missing too.
  const meant = new Set<string | undefined>();
  for (const entry of node.entries) {
    if (keys.includes(entry.key)) found.set(entry.key, entry);
    else if (isLater(entry, fields)) reportLaterKey(entry, slot);
    else if (!foreign(entry, slot)) {
      meant.add(reportUnknownKey(entry, keys, places, slot));
    }
  }
  for (const [key, field] of table) {
    const words = keysOf(key, field);
    const [first, second] = words.filter((word) => found.has(word));
    if (first && second) {
      slot.report({
        at: found.get(second)!.keyAt,
        code: `${first}-and-${second}`,
        message:
          `\`${first}\` and \`${second}\` mean the same, so only one of them can be written`,
        hint: "remove one of them",
      });
    }
    if (first) found.set(key, found.get(first)!);
    else if (words.some((word) => meant.has(word))) {
      reader.markWrong(child(slot.pointer, field.ir ?? key));
    } else if (field.required) {
      const names = words.map((word) => `\`${word}\``).join(" or ");
      const hint = `\`${key}\`: ${gist(field.doc)}`;
      slot.report({
        code: "missing-key",
        message: `${what} needs ${names}`,
        hint,
      });
    }
  }
  return { node, get: (key) => found.get(key) };
}

/** The way out of a version 0 file for what only version 1 can say. */
function versionHint(what: string): string {
  return `${what} belongs to version 1: add \`version: 1\``;
}

/** Whether a later version has the key, and for such a value. */
function isLater({ key, value }: Entry, fields: Fields): boolean {
  if (!Object.hasOwn(fields, key)) return false;
  return value.kind === "scalar" ||
    fields[key]!.value.form["enum"] === undefined;
}

/** Reports a key that a later version of the flow file has. */
function reportLaterKey({ key, keyAt }: Entry, slot: Slot): void {
  slot.report({
    at: keyAt,
    code: "later-version",
    message: `unknown key \`${key}\` in ${slot.what}`,
    hint: versionHint(`\`${key}\``),
  });
}

/** Reports a key that a mapping does not have; returns the one it likely means. */
function reportUnknownKey(
  { key, keyAt }: Entry,
  keys: readonly string[],
  places: readonly Place[],
  slot: Slot,
): string | undefined {
  const hint = places.map((place) => elsewhere(place, key))
    .find((each) => each && keys.includes(offeredBy(each) ?? keys[0]!)) ??
    didYouMean(key, keys);
  slot.report({
    at: keyAt,
    code: "unknown-key",
    message: `unknown key \`${key}\` in ${slot.what}`,
    hint: hint ?? `allowed here: ${keys.join(", ")}`,
  });
  return offeredBy(hint);
}
