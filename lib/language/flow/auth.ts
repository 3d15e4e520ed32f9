import { nearest } from "../../base/text/suggest.ts";
import type { SourceLocation } from "../../base/text/location.ts";
import type { JsonObject } from "../../base/values/json.ts";
import { string } from "../fields/scalars.ts";
import { type Form, Slot } from "../fields/field.ts";
import { type Entry, entryOf } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { type AuthScheme, schemeMapping, type Schemes } from "./registry.ts";

/** The flow's `auth`, and where its parts were written. */
export interface WrittenAuth {
  readonly block: JsonObject;
  /** By JSON Pointer below the block. */
  readonly locations: ReadonlyMap<string, SourceLocation>;
}

/**
 * Reads an `auth` mapping as far as it can be read; undefined when it cannot be
 * read at all, or sends nothing.
 */
export function readAuth(slot: Slot, schemes: Schemes): JsonObject | undefined {
  const scheme = findScheme(slot, schemes);
  if (!scheme) return;
  const what = `\`${scheme.name}\` auth`;
  const block = new Slot(slot.node, slot.pointer, what, slot.reader)
    .read({
      read: schemeMapping(scheme, schemes, {
        foreign: (entry) => reportOtherScheme(entry, scheme, schemes, slot),
      }).readBlock,
    });
  return scheme.sendsNothing ? undefined : block;
}

/** Reads the `auth` of the flow, which its steps share. */
export function readDefaultAuth(
  slot: Slot,
  schemes: Schemes,
): WrittenAuth | undefined {
  const block = readAuth(slot, schemes);
  if (!block) return;
  const { pointer, reader } = slot;
  const written = reader.locations.entries()
    .filter(([at]) => at.startsWith(pointer))
    .map(([at, location]) => [at.slice(pointer.length), location] as const);
  return { block, locations: new Map(written) };
}

/** @param pointer of the step that has it */
export function locateAuth(
  { locations }: WrittenAuth,
  pointer: string,
  reader: Reader,
): void {
  for (const [below, at] of locations) {
    reader.locate(`${pointer}/auth${below}`, at);
  }
  if (!reader.isSound("/auth")) reader.markWrong(`${pointer}/auth`);
}

/** `auth` to an editor: the keys of the scheme that is named, no others. */
export function authForm(schemes: Schemes): Form {
  const each = [...schemes.values()];
  return { oneOf: each.map((scheme) => schemeMapping(scheme, schemes).form) };
}

function findScheme(slot: Slot, schemes: Schemes): AuthScheme | undefined {
  const { node } = slot;
  const names = [...schemes.keys()];
  if (node.kind !== "map" || node.unquotedTemplate) {
    const word = node.kind === "scalar" && schemes.has(node.text)
      ? node.text
      : "bearer";
    const more = word === "none" ? "" : ", ...";
    const hint = `write \`auth: { scheme: ${word}${more} }\``;
    return slot.refuse("wrong-type", "`auth` must be a mapping", hint);
  }
  const value = entryOf(node, "scheme")?.value;
  if (!value) {
    return slot.report({
      code: "missing-key",
      message: "`auth` needs `scheme`",
      hint: schemeHint(node.entries.map(({ key }) => key), schemes),
    });
  }
  const word = slot.below("scheme", value, "`scheme`");
  const name = string.read(word);
  if (name === undefined) return;
  const near = names.find((each) => each.startsWith(name.toLowerCase())) ??
    nearest(name, names);
  return schemes.get(name) ?? word.report({
    code: "unknown-value",
    message: `unknown auth scheme \`${name}\``,
    hint: near && name !== ""
      ? `did you mean \`${near}\`?`
      : `one of: ${names.join(", ")}`,
  });
}

/** The way out where `scheme` is missing, by the keys that are there. */
function schemeHint(keys: readonly string[], schemes: Schemes): string {
  const called = keys.find((key) => SCHEME_ELSEWHERE.test(key));
  if (called !== undefined) return `\`${called}\` is called \`scheme\` here`;
  const named = keys.find((key) => schemes.has(key));
  return named !== undefined
    ? `write \`auth: { scheme: ${named}, ... }\``
    : `one of: ${[...schemes.keys()].join(", ")}`;
}

const SCHEME_ELSEWHERE = /^(?:auth_?)?(?:type|kind|method|strategy|mode)$/i;

/** Says whose key it is when another scheme has it. */
function reportOtherScheme(
  { key, keyAt }: Entry,
  scheme: AuthScheme,
  schemes: Schemes,
  slot: Slot,
): boolean {
  const owners = [...schemes.values()]
    .filter((each) => Object.hasOwn(each.fields, key))
    .map(({ name }) => `\`${name}\``);
  if (owners.length === 0) return false;
  const own = Object.keys(scheme.fields);
  slot.report({
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
