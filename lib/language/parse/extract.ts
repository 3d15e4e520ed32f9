import { checkPath } from "../json_path/json_path.ts";
import type { Extraction } from "../../model/ir/flow.ts";
import { PathSyntaxError } from "../json_path/syntax.ts";
import { describe, type Entry, type Node } from "../source/node.ts";
import { spanInside } from "../source/place.ts";
import type { Reader } from "../source/reader.ts";
import { readString, reportUnquotedTemplate } from "../source/scalars.ts";
import { child } from "../../base/values/pointer.ts";
import { checkName } from "./name.ts";

/**
 * Reads `extract`. A path that cannot be read still makes its variable, so
 * that later uses of it are not reported as well.
 */
export function readExtract(
  node: Node,
  pointer: string,
  reader: Reader,
): Record<string, Extraction> | undefined {
  reader.place(pointer, node.span);
  if (node.kind !== "map" || node.unquotedTemplate) {
    if (node.kind === "map" && node.unquotedTemplate) {
      reportUnquotedTemplate(node.span, node.unquotedTemplate, reader);
      return;
    }
    reader.report(
      node.span,
      "wrong-type",
      `\`extract\` must be a mapping, but it is ${describe(node)}`,
      "write each as `<variable>: $.path`",
    );
    return;
  }
  const extractions: [string, Extraction][] = [];
  for (const entry of node.entries) {
    const { key, keySpan } = entry;
    reader.place(child(pointer, key), keySpan);
    const path = readPath(entry, reader) ?? "$";
    if (checkName(key, "a variable's name", keySpan, reader)) {
      extractions.push([key, { from: "body", path }]);
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

function readPath({ key, value }: Entry, reader: Reader): string | undefined {
  const path = readString(value, `\`${key}\``, reader);
  if (path === undefined) return;
  if (/^(?:headers?\b|status$|latency$)/i.test(path)) {
    reader.report(
      value.span,
      "json-path",
      `a flow file extracts from the body alone, but \`${key}\` is "${path}"`,
      /^latency/i.test(path)
        ? "`latency` is for assertions and thresholds"
        : `only the Python SDK can: extract={"${key}": ${pythonFor(path)}}`,
    );
    return;
  }
  if (!path.startsWith("$")) {
    reader.report(
      value.span,
      "json-path",
      `a JSON path starts with \`$\`, but \`${key}\` is "${path}"`,
      /^[.[]/.test(path)
        ? `did you mean \`$${path}\`?`
        : /^[\w.[\]-]+$/.test(path)
        ? `did you mean \`$.${path}\`?`
        : undefined,
    );
    return;
  }
  try {
    checkPath(path);
    return path;
  } catch (error) {
    if (!(error instanceof PathSyntaxError)) throw error;
    const { message, offset, hint } = error;
    const length = path.slice(offset).search(/\s|$/);
    const span = spanInside(value, reader.text, offset, length);
    reader.report(span, "json-path", message, hint);
  }
}
