import * as v from "valibot";
import { expressionError } from "../../base/errors/bench_error.ts";
import { meantPath } from "../expressions/elsewhere.ts";
import { headerName, jsonPath } from "../expressions/assertion_ir.ts";
import { optional, required, type Slot, type Value } from "../fields/field.ts";
import { mapping } from "../fields/mapping.ts";
import { name, names, oneOf, string } from "../fields/scalars.ts";
import { oneSpelling } from "../json_path/one_spelling.ts";
import { parseQuery } from "../json_path/path_reader.ts";

const schema = v.variant("from", [
  v.strictObject({ from: v.literal("body"), path: jsonPath }),
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
  read(slot) {
    if (slot.reader.surface === "sdk" && slot.node.kind === "map") {
      return readSource(slot);
    }
    const path = readPath(slot);
    return path === undefined ? path : { from: "body", path };
  },
};

const variable = name("a variable's name");
/** Roots of templates that are no variables. */
export const RESERVED_NAMES: string[] = ["env", "user"];

/** Why no variable can be called so. */
export function reservedName(name: string): string {
  return `a variable cannot be called \`${name}\`: {{ ${name}.* }} already has a meaning`;
}

/** `extract` of a step. */
export const extract = names(extraction, {
  what: (name) => `\`${name}\``,
  example: "each as `<variable>: $.path`",
  key: {
    ...variable,
    form: { ...variable.form, not: { enum: RESERVED_NAMES } },
  },
  atKey: true,
  // So that later uses of the variable are not reported as well.
  instead: { from: "body", path: "$" },
});

function readSource(slot: Slot): Extraction | undefined {
  const { from, name } = source.read(slot) ?? {};
  if (from === "status") return { from };
  if (from !== undefined && name === undefined) {
    const message = `${slot.what} needs \`name\``;
    slot.report({ code: "missing-key", message });
  }
  return from && { from, name: name ?? "" };
}

function readPath(slot: Slot): string | undefined {
  const path = string.read(slot);
  if (path === undefined) return;
  const { what } = slot;
  const code = "json-path";
  if (/^(?:headers?\b|(?:set-)?cookies?\b|status$|latency$)/i.test(path)) {
    const key = what.slice(1, -1);
    const hint = /^latency/i.test(path)
      ? "`latency` is for assertions and thresholds"
      : `only the Python SDK can: extract={"${key}": ${pythonFor(path)}}`;
    const message =
      `a flow file extracts from the body alone, but ${what} is "${path}"`;
    return slot.report({ code, message, hint });
  }
  if (!path.startsWith("$")) {
    const message = `a JSON path starts with \`$\`, but ${what} is "${path}"`;
    return slot.report({ code, message, hint: pathHint(path) });
  }
  const error = expressionError(() => parseQuery(path));
  if (!error) return oneSpelling(path);
  const { message, offset, hint } = error;
  const length = path.slice(offset).search(/\s|$/);
  return slot.report({ code, message, hint, at: slot.inside(offset, length) });
}

function pathHint(path: string): string | undefined {
  if (/^[.[]/.test(path)) return `did you mean \`$${path}\`?`;
  const meant = meantPath(path);
  return meant && `did you mean \`${meant}\`?`;
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
