import * as v from "valibot";
import { expressionError } from "../../base/errors/bench_error.ts";
import { customaryName } from "../../base/values/headers.ts";
import { headerName, jsonPath } from "../expressions/assertion_ir.ts";
import { NAME } from "../expressions/template.ts";
import { meantPath } from "../expressions/meant_path.ts";
import {
  optional,
  type Part,
  type Slot,
  type Value,
  type ValueOf,
} from "../fields/field.ts";
import { mapping, versionHint } from "../fields/mapping.ts";
import {
  filled,
  integer,
  name,
  names,
  scalar,
  string,
} from "../fields/scalars.ts";
import { entryOf } from "../source/node.ts";
import { exactNumber } from "../source/json_scalar.ts";
import { oneSpelling } from "../json_path/one_spelling.ts";
import { parseQuery } from "../json_path/path_reader.ts";

const fallback = v.union([v.string(), v.number(), v.bigint(), v.boolean()]);
type Fallback = v.InferOutput<typeof fallback>;
const group = integer({ min: 0, max: 99, noun: "a group" });

/** The value that is taken where the response has nothing. */
const orDefault = { default: v.exactOptional(fallback) };
/** A part of the text that was found, or all of it. */
const part = {
  pattern: v.exactOptional(v.string()),
  group: v.exactOptional(group.schema),
  ...orDefault,
};
const schema = v.variant("from", [
  v.strictObject({ from: v.literal("body"), path: jsonPath, ...part }),
  v.strictObject({ from: v.literal("text"), ...part }),
  v.strictObject({
    from: v.literal("html"),
    css: v.string(),
    /** The element's text when absent. */
    attribute: v.exactOptional(v.string()),
    ...part,
  }),
  v.strictObject({ from: v.literal("header"), name: headerName, ...part }),
  // Letter case counts (RFC 6265 section 5.3).
  v.strictObject({ from: v.literal("cookie"), name: v.string(), ...part }),
  v.strictObject({ from: v.literal("status"), ...orDefault }),
]);
/** Where a variable's value is taken from. */
export type Extraction = v.InferOutput<typeof schema>;
type Source = Exclude<Extraction, { from: "html" }>;

const SOURCES = "$.path, header.<Name>, cookie.<name>, status";

/** One text that says where: a path, `header.Location`, `cookie.session`, `status`. */
const source: Value<Source> = {
  schema: schema as unknown as v.GenericSchema<unknown, Source>,
  form: {
    type: "string",
    pattern: "^(?:\\$|header\\.\\S+$|cookie\\.\\S+$|status$|body$)",
    // How one begins.
    examples: ["$.", "header.", "cookie.", "status"],
  },
  read(slot) {
    const text = string.read(slot);
    if (text === undefined) return;
    if (text.startsWith("$")) return readPath(text, slot);
    const found = plainSource(text);
    return found && slot.reader.version > 0 ? found : refuse(text, slot);
  },
};

function plainSource(text: string): Source | undefined {
  if (text === "status") return { from: "status" };
  if (text === "body") return { from: "text" };
  const header = /^header\.([\w!#$%&'*+.^`|~-]+)$/.exec(text)?.[1];
  if (header) return { from: "header", name: header.toLowerCase() };
  const cookie = /^cookie\.([^\s;=]+)$/.exec(text)?.[1];
  return cookie === undefined ? cookie : { from: "cookie", name: cookie };
}

/** The keys of what a text cannot say. */
const VERSION_1 = { version: 1 } as const;

const fields = {
  from: optional(
    source,
    `where the text is: body (the default with \`pattern\`), ${SOURCES}`,
    VERSION_1,
  ),
  css: optional(
    filled(string),
    "a CSS selector: the first element of the page that it matches",
    VERSION_1,
  ),
  attribute: optional(
    filled(string),
    "the element's attribute that is taken; its text when absent",
    VERSION_1,
  ),
  pattern: optional(
    filled(string),
    "a regular expression; the part of the text that it matches is taken",
    VERSION_1,
  ),
  group: optional(
    group,
    "which group of the pattern; 1 by default, or the whole match (0) when it has none",
    VERSION_1,
  ),
  default: optional<Fallback>(
    scalar({
      schema: fallback,
      form: { type: ["string", "number", "boolean"] },
      expected: "a string, a number, true or false",
      take({ value, text }) {
        if (typeof value === "number") return exactNumber(value, text);
        return v.is(fallback, value) ? value : undefined;
      },
      hint: ({ value, text }) =>
        typeof value === "number"
          ? `quote it to keep its digits: "${text}"`
          : 'for an empty value write ""',
    }),
    "the value where the response has none",
    VERSION_1,
  ),
};
const detailed = mapping(fields, {
  places: ["extract"],
  hint: `write ${SOURCES}, or a mapping with keys: ${
    Object.keys(fields).join(", ")
  }`,
});

const extraction: Value<Extraction> = {
  schema,
  form: { anyOf: [source.form, detailed.form] },
  inside: detailed.inside!,
  *parts(value, pointer): Iterable<Part> {
    const later = value.from === "text" || value.from === "html" ||
      "pattern" in value || "default" in value;
    if (later) yield { role: "since", pointer, ir: 2 };
  },
  read(slot) {
    if (slot.node.kind !== "map" || slot.node.unquotedTemplate) {
      return source.read(slot);
    }
    if (slot.reader.version > 0) return readDetailed(slot);
    return slot.report({
      code: "later-version",
      message: `${slot.what} must be a JSON path, but it is a mapping`,
      hint: versionHint("a mapping here"),
    });
  },
};

const variable = name("a variable's name");
/** Roots of templates that are no variables. */
export const RESERVED_NAMES: string[] = ["env", "user"];

/** Why no variable can be called so. */
export function reservedName(name: string): string {
  return `a variable cannot be called \`${name}\`: {{ ${name}.* }} already has a meaning`;
}

/** So that later uses of a variable are not reported as well. */
const INSTEAD: Extraction = { from: "body", path: "$" };

const variables = names(extraction, {
  what: (name) => `\`${name}\``,
  example: "each as `<variable>: $.path`",
  key: {
    ...variable,
    form: { ...variable.form, not: { enum: RESERVED_NAMES } },
  },
  atKey: true,
  instead: INSTEAD,
});

/** `extract` of a step. */
export const extract: typeof variables = {
  ...variables,
  read(slot) {
    const as = entryOf(slot.node, "as");
    const called = as?.value.kind === "scalar" ? as.value.text : "";
    // A variable may be called so.
    if (!as || !NAME.test(called) || plainSource(called)) {
      return variables.read(slot);
    }
    const path = entryOf(slot.node, "json")?.value;
    const where = path?.kind === "scalar" ? path.text : "...";
    slot.report({
      at: as.keyAt,
      code: "unknown-key",
      message: "the name of a variable is its key, and not written as `as`",
      hint: `write \`extract: { ${called}: ${where} }\``,
    });
    return { [called]: INSTEAD };
  },
};

function readDetailed(slot: Slot): Extraction | undefined {
  const read = detailed.read(slot);
  const written = slot.node.kind === "map" ? slot.node.entries.length : 0;
  // What was reported is not missing too.
  if (!read || Object.keys(read).length < written) return;
  const why = whyIncomplete(read);
  if (why) return slot.report({ code: "bad-extraction", ...why });
  const { from, css, ...rest } = read;
  const found = css === undefined
    ? from ?? { from: "text" }
    : { from: "html", css };
  return { ...found, ...rest } as Extraction;
}

/** An extraction as messages and traces call it. */
export function formatExtraction(extraction: Extraction): string {
  const source = formatSource(extraction);
  return "pattern" in extraction
    ? `${source} matches ${extraction.pattern}`
    : source;
}

/** The part of a response that an extraction looks at, without its pattern. */
export function formatSource(extraction: Extraction): string {
  const { from } = extraction;
  switch (from) {
    case "body":
      return extraction.path;
    case "text":
      return "body";
    case "html": {
      const { css, attribute } = extraction;
      const of = attribute === undefined ? "" : `${attribute} of `;
      return `${of}css ${css}`;
    }
    case "header":
      return `header.${customaryName(extraction.name)}`;
    case "cookie":
      return `cookie.${extraction.name}`;
    case "status":
      return from;
  }
}

/** The error in the keys of one extraction together. */
function whyIncomplete(
  { from, css, attribute, pattern, group }: ValueOf<typeof detailed>,
): { message: string; hint?: string } | undefined {
  if (from && css !== undefined) {
    return {
      message: "`from` and `css` both say where the value is",
      hint: "`css` looks into the body, as HTML: leave `from` out",
    };
  }
  if (!from && css === undefined && pattern === undefined) {
    return {
      message: "an extraction needs `from`, `css` or `pattern`",
      hint:
        "for example { from: header.Location, pattern: 'id=(\\d+)' }, or { css: 'input[name=csrf]', attribute: value }",
    };
  }
  if (attribute !== undefined && css === undefined) {
    return {
      message: "`attribute` needs `css`",
      hint: "for example css: 'input[name=csrf]'",
    };
  }
  if (group !== undefined && pattern === undefined) {
    return { message: "`group` needs `pattern`" };
  }
  if (from?.from === "status" && pattern !== undefined) {
    return { message: "a status is a number: `pattern` has nothing to match" };
  }
  return undefined;
}

function readPath(path: string, slot: Slot): Source | undefined {
  const error = expressionError(() => parseQuery(path));
  if (!error) return { from: "body", path: oneSpelling(path) };
  const { message, offset } = error;
  const length = path.slice(offset).search(/\s|$/);
  const at = slot.inside(offset, length);
  const [, own, value] = WITH_DEFAULT.exec(path) ?? [];
  const hint = own === undefined
    ? error.hint
    : `a default is \`{ from: ${own}, default: ${value} }\`, in a flow file with \`version: 1\``;
  return slot.report({ code: "json-path", message, hint, at });
}

/** As a shell, JavaScript and jq write what to take where there is none. */
const WITH_DEFAULT = /^(\S+)\s+(?:default|or|\?\?|\|\||\/\/)\s+(.+)$/;
const WORDS = /^(?:headers?\b|(?:set-)?cookies?\b|status$|body$|latency$)/i;

/** Says what was meant by a text that is no source. */
function refuse(text: string, slot: Slot): undefined {
  const { what, reader } = slot;
  const code = "json-path";
  const old = reader.version === 0;
  if (!WORDS.test(text) || old && text === "body") {
    const message = `a JSON path starts with \`$\`, but ${what} is "${text}"`;
    return slot.report({ code, message, hint: pathHint(text) });
  }
  if (/^latency/i.test(text)) {
    const message =
      `${what} is "${text}", which is of the exchange and not of the response`;
    const hint = "`latency` is for assertions and thresholds";
    return slot.report({ code, message, hint });
  }
  const meant = meantSource(text);
  if (old) {
    return slot.report({
      code: "later-version",
      message:
        `a flow file without \`version: 1\` extracts from the body alone, but ${what} is "${text}"`,
      hint: versionHint(`\`${meant}\``),
    });
  }
  const message = `${what} is "${text}", which is nothing of a response`;
  return slot.report({ code, message, hint: `did you mean \`${meant}\`?` });
}

function pathHint(path: string): string | undefined {
  const [, word = "", quoted = ""] = HURL.exec(path) ?? [];
  if (/^regex/i.test(word)) {
    const pattern = `'${quoted.replaceAll("'", "''")}'`;
    return `did you mean \`{ pattern: ${pattern} }\`, in a flow file with \`version: 1\`?`;
  }
  if (/^xpath/i.test(word)) {
    return "there is no XPath here: `{ css: ... }` selects in a page, in a flow file with `version: 1`";
  }
  if (word !== "") return pathHint(quoted);
  const meant = path.startsWith("$")
    ? path
    : /^[.[]/.test(path)
    ? `$${path}`
    : meantPath(path);
  return meant === undefined || expressionError(() => parseQuery(meant))
    ? undefined
    : `did you mean \`${meant}\`?`;
}

/** A capture of Hurl: `jsonpath "$.id"`. */
const HURL = /^(jsonpath|regex|xpath)\s+["'/](.+)["'/]$/i;

/** A header, a cookie or the status, in whichever tool's words. */
function meantSource(text: string): string {
  if (/^status$|^body$/i.test(text)) return text.toLowerCase();
  const name = /^[a-z-]+(?:[.:]|\[['"]?|\s+['"])\s*([^'"[\]\s]+)/i.exec(text)
    ?.[1];
  return /cookie/i.test(text)
    ? `cookie.${name ?? "<name>"}`
    : `header.${name ?? "Location"}`;
}
