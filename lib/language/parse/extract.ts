import { checkPath } from "../json_path/json_path.ts";
import type { Extraction } from "../../model/ir/flow.ts";
import { ExpressionError } from "../../base/errors/expression_error.ts";
import { describe, type Entry, type Node } from "../source/node.ts";
import { type KeyTable, readMapping } from "../source/mapping.ts";
import type { Reader } from "../source/reader.ts";
import {
  readChoice,
  readString,
  reportUnquotedTemplate,
} from "../source/scalars.ts";
import { child } from "../../base/values/pointer.ts";
import { checkName } from "./name.ts";

const SOURCES = ["header", "status"] as const;
const SOURCE_KEYS = {
  from: { required: true, doc: SOURCES.join(", ") },
  name: { doc: "name of the header" },
} as const satisfies KeyTable;

/**
 * Reads `extract`. A path that cannot be read still makes its variable, so
 * that later uses of it are not reported as well.
 */
export function readExtract(
  node: Node,
  pointer: string,
  reader: Reader,
): Record<string, Extraction> | undefined {
  reader.place(pointer, node.at);
  if (node.kind !== "map" || node.unquotedTemplate) {
    if (node.kind === "map" && node.unquotedTemplate) {
      reportUnquotedTemplate(node.at, node.unquotedTemplate, reader);
      return;
    }
    reader.report({
      at: node.at,
      code: "wrong-type",
      message: `\`extract\` must be a mapping, but it is ${describe(node)}`,
      hint: "write each as `<variable>: $.path`",
    });
    return;
  }
  const extractions: [string, Extraction][] = [];
  for (const entry of node.entries) {
    const { key, keyAt } = entry;
    reader.place(child(pointer, key), keyAt);
    const extraction = readExtraction(entry, reader);
    if (checkName(key, "a variable's name", keyAt, reader)) {
      extractions.push([key, extraction]);
    }
  }
  return extractions.length > 0 ? Object.fromEntries(extractions) : undefined;
}

/** A header or the status as the Python SDK takes it from a response. */
function pythonFor(source: string): string {
  const name = /^headers?(?:[.:]|\[['"]?)\s*([^'"\]\s]+)/i.exec(source)?.[1];
  return /^status/i.test(source)
    ? "from_status()"
    : `from_header("${name ?? "Location"}")`;
}

function readExtraction(entry: Entry, reader: Reader): Extraction {
  const { key, value } = entry;
  const source = reader.surface === "sdk" && value.kind === "map"
    ? readSource(value, key, reader)
    : undefined;
  return source ?? { from: "body", path: readPath(entry, reader) ?? "$" };
}

/** `{ from: header, name: ... }` or `{ from: status }`, which only the SDK says. */
function readSource(
  node: Node,
  key: string,
  reader: Reader,
): Extraction | undefined {
  const fields = readMapping(node, SOURCE_KEYS, `\`${key}\``, reader);
  const from = fields?.get("from")?.value;
  const word = from && readChoice(from, "`from`", SOURCES, reader);
  if (word === "status") return { from: "status" };
  const name = fields?.get("name")?.value;
  const text = name && readString(name, "the header's name", reader);
  if (word === "header" && !name) {
    reader.report({
      at: node.at,
      code: "missing-key",
      message: `\`${key}\` needs \`name\``,
    });
  }
  return { from: "header", name: text ?? "" };
}

function readPath({ key, value }: Entry, reader: Reader): string | undefined {
  const path = readString(value, `\`${key}\``, reader);
  if (path === undefined) return;
  if (/^(?:headers?\b|status$|latency$)/i.test(path)) {
    reader.report({
      at: value.at,
      code: "json-path",
      message:
        `a flow file extracts from the body alone, but \`${key}\` is "${path}"`,
      hint: /^latency/i.test(path)
        ? "`latency` is for assertions and thresholds"
        : `only the Python SDK can: extract={"${key}": ${pythonFor(path)}}`,
    });
    return;
  }
  if (!path.startsWith("$")) {
    reader.report({
      at: value.at,
      code: "json-path",
      message: `a JSON path starts with \`$\`, but \`${key}\` is "${path}"`,
      hint: /^[.[]/.test(path)
        ? `did you mean \`$${path}\`?`
        : /^[\w.[\]-]+$/.test(path)
        ? `did you mean \`$.${path}\`?`
        : undefined,
    });
    return;
  }
  try {
    checkPath(path);
    return path;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { message, offset, hint } = error;
    const length = path.slice(offset).search(/\s|$/);
    const at = reader.inside(value, offset, length);
    reader.report({
      at,
      code: "json-path",
      message,
      hint,
    });
  }
}
