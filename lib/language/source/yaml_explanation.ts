import {
  type Document,
  isCollection,
  isNode,
  isScalar,
  visit,
  type YAMLParseError,
} from "yaml";
import type { Diagnostic, Wording } from "../../base/text/diagnostic.ts";
import type { Range } from "./conceal.ts";

/** The library's message in plain words; undefined where that depends on the text. */
function plainWords(says: string): Wording | undefined {
  const [, message, hint] = PLAIN.find(([words]) => says.includes(words)) ?? [];
  return message === undefined ? undefined : { message, hint };
}

const MISSING_COMMA = "Missing , or : between";

const PLAIN:
  readonly (readonly [words: string, plain: string, hint?: string])[] = [
    [
      MISSING_COMMA,
      "expected `,` or `:` before this",
      "separate the items of { } and [ ] with commas, and quote values that hold brackets",
    ],
    [
      "Block collections are not allowed",
      "an indented mapping or a `- ` list is not allowed inside { } or [ ]",
    ],
    [
      "Alias cannot be an empty string",
      "a `*` starts an alias, which needs a name",
      "to start a value with *, quote it",
    ],
    [
      "Anchor cannot be an empty string",
      "a `&` starts an anchor, which needs a name",
      "to start a value with &, quote it",
    ],
    [
      "Comments must be separated",
      "a comment needs a space before its `#`",
      "if the # belongs to the value, quote the value",
    ],
    [
      "Missing newline after",
      "a list or mapping cannot start on the line of its tag or anchor",
    ],
    ["Unexpected : in", "a key is missing before this `:`"],
    ["Unexpected , in", "a value is missing before this `,`"],
    [
      "on same line with key",
      "a list cannot start on the line of its key",
      "put each `- ` on a line of its own below the key",
    ],
    ["map-value-ind", "a key is missing before this `:`"],
  ];

/** An error of YAML itself, in words. */
export interface Explanation extends Omit<Diagnostic, "at"> {
  /** Offset in the text; that of the library's error when absent. */
  readonly at?: number;
  readonly length?: number;
}

/** An error of YAML with what is around it. */
export interface Context {
  readonly document: Document;
  readonly error: YAMLParseError;
  readonly source: string;
  /** The source as messages may quote it: as long, with what is hidden dotted. */
  readonly shown: string;
  /** Offset of the error. */
  readonly at: number;
  /** The whole line it is on, without its break. */
  readonly line: string;
  readonly lineStart: number;
  /** The rest of the error's line, without a comment; and as it is shown. */
  readonly rest: string;
  readonly shownRest: string;
}

/** The error in words, and the way out. */
export function explain(context: Context): Explanation {
  const { error: { code, message }, shown, at } = context;
  const space = explainSpace(context);
  if (space) return space;
  if (code === "TAB_AS_INDENT") {
    const message = "tabs may not indent YAML";
    return { code: "yaml-tab", message, hint: "indent with spaces" };
  }
  if (code === "MULTIPLE_DOCS") {
    return {
      code: "several-documents",
      message:
        "the file must be exactly one YAML document, but a second starts here",
      hint: "keep one document, without `---` or `...` after it",
    };
  }
  if (code === "BAD_DQ_ESCAPE") {
    const escape = shown.slice(at, at + 2);
    return {
      code: "yaml-escape",
      message: `\`${escape}\` is not an escape of double-quoted YAML`,
      hint: `write \`\\${escape}\`, or use single quotes`,
      length: 2,
    };
  }
  if (code === "BAD_SCALAR_START") {
    const char = shown[at] === "`" ? "a backtick" : `\`${shown[at] ?? ""}\``;
    return {
      code: "yaml-quote",
      message: `an unquoted value cannot start with ${char}`,
      hint: `quote it: ${doubleQuoted(context.shownRest)}`,
    };
  }
  const quote = explainQuote(context);
  if (quote) return quote;
  if (message.includes(MISSING_COMMA) && shown.startsWith("{{", at)) {
    return {
      code: "yaml-syntax",
      message: "an unquoted value inside { } or [ ] cannot hold a template",
      hint: "quote the value, or write it on a line of its own",
      length: 2,
    };
  }
  const plain = plainWords(message);
  if (plain) return { code: "yaml-syntax", ...plain };
  for (const [says, explained] of SHAPES) {
    const found = says.test(message) && explained(context);
    if (found) return { code: "yaml-syntax", ...found };
  }
  return { code: "yaml-syntax", message: `YAML: ${unquoted(message)}` };
}

/**
 * A line begins with what an editor or a web page writes for a space: the one of the error,
 * or one that it may come from.
 */
function explainSpace({ source, lineStart }: Context): Explanation | undefined {
  const lines = source.slice(0, lineStart).split("\n").slice(-LINES_BEFORE - 1);
  const start = lineStart - lines.join("\n").length;
  const [here = "", next = ""] = source.slice(lineStart).split("\n", 2);
  const around = source.slice(start, lineStart) + here + "\n" + next;
  const found = /^[ \t]*(?:- *)*(?=[^\S \t\r\n])/m.exec(around);
  if (!found) return;
  const before = found.index + found[0].length;
  const code = around.charCodeAt(before).toString(16).toUpperCase();
  return {
    at: start + before,
    code: "yaml-space",
    message: `U+${code.padStart(4, "0")} is not a space to YAML`,
    hint: "replace it with a space",
  };
}

/** YAML finds an error so many lines behind its cause. */
const LINES_BEFORE = 2;

/** `text` as a quoted YAML scalar. */
export function doubleQuoted(text: string): string {
  return /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}

/** The library's message, without the text it quotes. */
function unquoted(message: string): string {
  const words = message.replace(/: ["|].*$/s, "");
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** A quote that is not closed shows up as some error further down. */
function explainQuote(context: Context): Explanation | undefined {
  const { document, error, source, at, shownRest } = context;
  const last = lastNode(
    document,
    (node) =>
      isScalar(node) && /^QUOTE/.test(node.type ?? "") && node.range![0] < at,
  );
  if (!last) return;
  const [start, end] = last;
  const unclosed = /^Missing closing ["']/.test(error.message);
  const spansLines = source.slice(start, end).includes("\n");
  if (unclosed || (spansLines && source.lastIndexOf("\n", at - 1) < end)) {
    return {
      at: start,
      code: "yaml-quote",
      message: "this quote is not closed on its line",
      hint: `close it with ${source[start]}`,
    };
  }
  const endsHere = source.slice(end, at).trim() === "";
  if (!endsHere || error.code !== "UNEXPECTED_TOKEN") return;
  return {
    at,
    length: Math.max(1, shownRest.length),
    code: "yaml-quote",
    message: `\`${shownRest}\` follows a closing quote`,
    hint: "put the whole value inside the quotes",
  };
}

/** The innermost `{` or `[` before the error that is never closed. */
function explainBracket(
  { document, source, at }: Context,
): Omit<Explanation, "code"> | undefined {
  const found = lastNode(document, (node) => {
    if (!isCollection(node) || !node.flow) return false;
    const [start, end] = node.range!;
    const closer = CLOSERS[source[start]!];
    return closer !== undefined && start < at &&
      (end > at || source[end - 1] !== closer);
  });
  if (!found) return;
  const [open] = found;
  return {
    at: open,
    message: `this \`${source[open]}\` is not closed`,
    hint: `close it with \`${CLOSERS[source[open]!]}\``,
  };
}

const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

/** Where the last of the nodes begins and ends of which `is` holds. */
function lastNode(
  document: Document,
  is: (node: unknown) => boolean,
): Range | undefined {
  let found: Range | undefined;
  visit(document, (_, node) => {
    const [start, end] = isNode(node) && node.range || [];
    if (start === undefined || start < (found?.[0] ?? 0)) return;
    if (is(node)) found = [start, end!];
  });
  return found;
}

/** The beginning of an assertion or a threshold in a list: it is quoted as a whole. */
const EXPRESSION = /^ *- (?=\S+ (?:[=!]=|[<>]=?|contains|matches) )/;

function explainNested(
  { source, shown, at, line, lineStart, rest }: Context,
): Explanation {
  if (/: |:$/.test(rest.replace(/^(["']).*?\1/, ""))) {
    const [lead] = EXPRESSION.exec(line) ?? [];
    const start = lead === undefined ? at : lineStart + lead.length;
    const end = at + rest.length;
    return {
      at: start,
      code: "yaml-quote",
      message: "an unquoted value cannot hold `: `",
      hint: `quote it: ${doubleQuoted(shown.slice(start, end))}`,
      length: end - start,
    };
  }
  // `-id: a` is a key, and no item of a list.
  const [dash] = /^ *-(?=[A-Za-z_]\w*:\s)/.exec(line) ?? [];
  if (dash !== undefined) {
    return {
      at: lineStart + dash.length - 1,
      code: "yaml-dash",
      message: "the `-` of a list item needs a space after it",
      hint: "write `- key: value`",
    };
  }
  // The line below is indented under a key that already has its value.
  const next = /\n( *)\S/.exec(source.slice(lineStart));
  return indentation(
    next ? lineStart + next.index + 1 + next[1]!.length : lineStart,
  );
}

function indentation(at: number): Explanation {
  return {
    at,
    code: "yaml-indentation",
    message: "the indentation of this line fits nothing above it",
    hint: "line it up with its neighbours, using spaces",
  };
}

/** The library's messages about brackets, colons, indentation and stray words. */
const SHAPES: readonly (readonly [
  says: RegExp,
  explained: (context: Context) =>
    | (Omit<Explanation, "code"> & { readonly code?: string })
    | undefined,
])[] = [
  [/must be sufficiently indented|keys of flow sequence/, explainBracket],
  [/flow-(seq|map)-start at node end/, ({ source, at }) => ({
    code: "yaml-quote",
    message: `an unquoted value inside { } or [ ] cannot hold \`${
      source[at]
    }\``,
    hint: "quote the value, or write it on a line of its own",
  })],
  [/Unexpected flow-(seq|map)-end/, ({ source, at }) => ({
    message: `this \`${source[at]}\` closes nothing`,
  })],
  [
    /same column|block sequence may not|without - ind/,
    ({ source, at }) =>
      indentation(at + /^ */.exec(source.slice(at))![0].length),
  ],
  [/Nested mappings are not allowed/, explainNested],
  [
    /Implicit keys need|Implicit map keys|at node end/,
    ({ shownRest, line }) => ({
      length: Math.max(1, shownRest.length),
      message: `expected \`key: value\`, but this is \`${shownRest}\``,
      hint: /^(?:- +)*[\w-]+:\S/.test(line.trim())
        ? "put a space after the colon"
        : "check the indentation and the colon after the key",
    }),
  ],
  [/^Not a YAML token|^Block scalar header/, ({ shownRest }) => ({
    length: Math.max(1, shownRest.length),
    message: "no text is allowed on the line of `|` or `>`",
    hint: "start the text on the next line, indented",
  })],
  [/^Unexpected .*(scalar|ind|start)\b/, ({ shownRest }) => ({
    length: Math.max(1, shownRest.length),
    message:
      `\`${shownRest}\` does not belong here: the value before it has ended`,
  })],
];
