import { nearest } from "../../base/text/suggest.ts";
import type { SourceLocation } from "../../base/text/location.ts";
import type { JsonObject } from "../../base/values/json.ts";
import { refuse } from "../fields/refuse.ts";
import { readString } from "../fields/scalars.ts";
import { type Form, readAt } from "../fields/value.ts";
import type { Entry, Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { type AuthScheme, schemeMapping, type Schemes } from "./scheme.ts";

/** An `auth` block, and where its parts were written. */
export interface WrittenAuth {
  readonly block: JsonObject;
  /** By JSON Pointer below the block. */
  readonly locations: ReadonlyMap<string, SourceLocation>;
}

/** Reads an `auth` mapping; undefined when it cannot be read, or sends nothing. */
export function readAuth(
  node: Node,
  schemes: Schemes,
  reader: Reader,
): WrittenAuth | undefined {
  const scheme = findScheme(node, schemes, reader);
  if (!scheme) return;
  const form = schemeMapping(scheme, schemes, {
    foreign: (entry) => reportOtherScheme(entry, scheme, schemes, reader),
  });
  const slot = { pointer: "", what: `\`${scheme.name}\` auth` };
  const [block, locations] = reader.apart(() =>
    readAt(form, node, slot, reader)
  );
  return block && !scheme.sendsNothing ? { block, locations } : undefined;
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
}

/** `auth` to an editor: the keys of the scheme that is named, no others. */
export function authForm(schemes: Schemes): Form {
  const each = [...schemes.values()];
  return { oneOf: each.map((scheme) => schemeMapping(scheme, schemes).form) };
}

function findScheme(
  node: Node,
  schemes: Schemes,
  reader: Reader,
): AuthScheme | undefined {
  const names = [...schemes.keys()];
  if (node.kind !== "map" || node.unquotedTemplate) {
    const word = node.kind === "scalar" && schemes.has(node.text)
      ? node.text
      : "bearer";
    const hint = `write \`auth: { scheme: ${word}${
      word === "none" ? "" : ", ..."
    } }\``;
    return refuse(node, "wrong-type", "`auth` must be a mapping", reader, {
      hint,
    });
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
  const slot = { pointer: "/scheme", what: "`scheme`" };
  const name = readString(entry.value, slot, reader);
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

/** Says whose key it is when another scheme has it. */
function reportOtherScheme(
  { key, keyAt }: Entry,
  scheme: AuthScheme,
  schemes: Schemes,
  reader: Reader,
): boolean {
  const owners = [...schemes.values()]
    .filter((each) => Object.hasOwn(each.fields, key))
    .map(({ name }) => `\`${name}\``);
  if (owners.length === 0) return false;
  const own = Object.keys(scheme.fields);
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
