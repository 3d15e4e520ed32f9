import * as v from "valibot";
import { ExpressionError } from "../../base/errors/expression_error.ts";
import { NAME } from "../../base/values/name.ts";
import { headerName } from "../expressions/assertion_ir.ts";
import { optional, required } from "../fields/field.ts";
import { mapping } from "../fields/mapping.ts";
import { names } from "../fields/names.ts";
import { checkName, oneOf, readString, string } from "../fields/scalars.ts";
import type { Slot, Value } from "../fields/value.ts";
import { checkPath } from "../json_path/json_path.ts";
import type { Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";

const schema = v.variant("from", [
  v.strictObject({ from: v.literal("body"), path: v.string() }),
  v.strictObject({ from: v.literal("header"), name: headerName }),
  // Letter case counts (RFC 6265 section 5.3).
  v.strictObject({ from: v.literal("cookie"), name: v.string() }),
  v.strictObject({ from: v.literal("status") }),
]);
/** Where a variable's value is taken from; YAML can only say `body`. */
export type Extraction = v.InferOutput<typeof schema>;

/** What a program can say besides a path. */
const source = mapping({
  from: required(
    oneOf(["header", "cookie", "status"]),
    "header, cookie, status",
  ),
  name: optional(string, "name of the header or cookie"),
});

const extraction: Value<Extraction> = {
  schema,
  form: { type: "string", pattern: "^\\$" },
  read(node, slot, reader) {
    if (reader.surface === "sdk" && node.kind === "map") {
      return readSource(node, slot, reader);
    }
    const path = readPath(node, slot, reader);
    return path === undefined ? path : { from: "body", path };
  },
};

/** `extract` of a step. */
export const extract = names(extraction, {
  what: (name) => `\`${name}\``,
  example: "each as `<variable>: $.path`",
  key: v.pipe(v.string(), v.regex(NAME)),
  keyForm: {
    type: "string",
    pattern: NAME.source,
    not: { enum: ["env", "user"] },
  },
  atKey: true,
  // So that later uses of the variable are not reported as well.
  instead: { from: "body", path: "$" },
  checkKey: ({ key, keyAt }, reader) =>
    checkName(key, "a variable's name", keyAt, reader),
});

function readSource(
  node: Node,
  slot: Slot,
  reader: Reader,
): Extraction | undefined {
  const { from, name } = source.read(node, slot, reader) ?? {};
  if (from === "status") return { from };
  if (from !== undefined && name === undefined) {
    const message = `${slot.what} needs \`name\``;
    reader.report({ at: node.at, code: "missing-key", message });
  }
  return from && { from, name: name ?? "" };
}

function readPath(
  node: Node,
  slot: Slot,
  reader: Reader,
): string | undefined {
  const path = readString(node, slot, reader);
  if (path === undefined) return;
  const { what } = slot;
  const report = (message: string, hint: string | undefined, at = node.at) =>
    reader.report({ at, code: "json-path", message, hint });
  if (/^(?:headers?\b|(?:set-)?cookies?\b|status$|latency$)/i.test(path)) {
    const key = what.slice(1, -1);
    const hint = /^latency/i.test(path)
      ? "`latency` is for assertions and thresholds"
      : `only the Python SDK can: extract={"${key}": ${pythonFor(path)}}`;
    const message =
      `a flow file extracts from the body alone, but ${what} is "${path}"`;
    return void report(message, hint);
  }
  if (!path.startsWith("$")) {
    const message = `a JSON path starts with \`$\`, but ${what} is "${path}"`;
    return void report(message, meantPath(path));
  }
  try {
    checkPath(path);
    return path;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { message, offset, hint } = error;
    const length = path.slice(offset).search(/\s|$/);
    report(message, hint, reader.inside(node, offset, length));
  }
}

function meantPath(path: string): string | undefined {
  if (/^[.[]/.test(path)) return `did you mean \`$${path}\`?`;
  return /^[\w.[\]-]+$/.test(path) ? `did you mean \`$.${path}\`?` : undefined;
}

/** A header or the status as the Python SDK takes it from a response. */
function pythonFor(source: string): string {
  const cookie = /^(?:set-)?cookies?(?:[.:]|\[['"]?)\s*([^'"\]\s]+)/i.exec(
    source,
  );
  if (cookie) return `from_cookie("${cookie[1]}")`;
  const name = /^headers?(?:[.:]|\[['"]?)\s*([^'"\]\s]+)/i.exec(source)?.[1];
  return /^status/i.test(source)
    ? "from_status()"
    : `from_header("${name ?? "Location"}")`;
}
