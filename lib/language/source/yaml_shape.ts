import {
  collectionBefore,
  type Context,
  doubleQuoted,
  type Explanation,
  quotedScalarsBefore,
  restOfLine,
} from "./yaml_context.ts";

/** A quote that is not closed shows up as some error further down. */
export function explainQuote(context: Context): Explanation | undefined {
  const { document, error, source, at } = context;
  const unclosed = /^Missing closing ["']/.test(error.message);
  const before = quotedScalarsBefore(document, at);
  const last = before.at(-1);
  if (!last) return;
  const [start, end] = last;
  const spansLines = source.slice(start, end).includes("\n");
  const endsHere = source.slice(end, at).trim() === "";
  if (unclosed || (spansLines && source.lastIndexOf("\n", at - 1) < end)) {
    return {
      at: start,
      code: "yaml-quote",
      message: "this quote is not closed on its line",
      hint: `close it with ${source[start]}`,
    };
  }
  if (!endsHere || error.code !== "UNEXPECTED_TOKEN") return;
  const { shown } = restOfLine(context);
  return {
    at,
    length: Math.max(1, shown.length),
    code: "yaml-quote",
    message: `\`${shown}\` follows a closing quote`,
    hint: "put the whole value inside the quotes",
  };
}

/** Any other error: brackets, colons, indentation, stray words. */
export function explainShape(context: Context): Explanation {
  const { message } = context.error;
  const known = OTHERS.find(([words]) => message.includes(words));
  if (known) {
    const [, plain, hint] = known;
    return { code: "yaml-syntax", message: plain, ...(hint && { hint }) };
  }
  return explainBracket(context) ?? explainIndentation(context) ??
    explainStray(context) ?? {
    code: "yaml-syntax",
    message: `YAML: ${unquoted(message)}`,
  };
}

/** What the library says, without the text it quotes. */
function unquoted(message: string): string {
  const words = message.replace(/: ["|].*$/s, "");
  return words.charAt(0).toLowerCase() + words.slice(1);
}

function explainBracket(context: Context): Explanation | undefined {
  const { document, error: { message }, source, at } = context;
  if (/must be sufficiently indented|keys of flow sequence/.test(message)) {
    const open = collectionBefore(document, source, at);
    if (open === undefined) return;
    return {
      at: open,
      code: "yaml-syntax",
      message: `this \`${source[open]}\` is not closed`,
      hint: `close it with \`${source[open] === "{" ? "}" : "]"}\``,
    };
  }
  if (/flow-(seq|map)-start at node end/.test(message)) {
    return {
      code: "yaml-quote",
      message: `an unquoted value inside { } or [ ] cannot hold \`${
        source[at]
      }\``,
      hint: "quote the value, or write it on a line of its own",
    };
  }
  if (!/Unexpected flow-(seq|map)-end/.test(message)) return;
  return {
    code: "yaml-syntax",
    message: `this \`${source[at]}\` closes nothing`,
  };
}

function explainIndentation(context: Context): Explanation | undefined {
  const { error: { message }, source, at, lineStart } = context;
  if (/same column|block sequence may not|without - ind/.test(message)) {
    return indentation(at + /^ */.exec(source.slice(at))![0].length);
  }
  if (!message.includes("Nested mappings are not allowed")) return;
  const { rest, shown } = restOfLine(context);
  if (/: |:$/.test(rest.replace(/^(["']).*?\1/, ""))) {
    return {
      code: "yaml-quote",
      message: "an unquoted value cannot hold `: `",
      hint: `quote it: ${doubleQuoted(shown)}`,
      length: rest.length,
    };
  }
  // The line below is indented under a key that already has its value.
  const next = /\n( *)\S/.exec(source.slice(lineStart));
  return indentation(
    next ? lineStart + next.index + 1 + next[1]!.length : lineStart,
  );
}

function explainStray(context: Context): Explanation | undefined {
  const { error: { message }, line } = context;
  const { shown } = restOfLine(context);
  const found = { code: "yaml-syntax", length: Math.max(1, shown.length) };
  if (/Implicit keys need|Implicit map keys|at node end/.test(message)) {
    return {
      ...found,
      message: `expected \`key: value\`, but this is \`${shown}\``,
      hint: /^[\w-]+:\S/.test(line.trim())
        ? "put a space after the colon"
        : "check the indentation and the colon after the key",
    };
  }
  if (/^Not a YAML token|^Block scalar header/.test(message)) {
    return {
      ...found,
      message: "no text is allowed on the line of `|` or `>`",
      hint: "start the text on the next line, indented",
    };
  }
  if (!/^Unexpected .*(scalar|ind|start)\b/.test(message)) return;
  return {
    ...found,
    message: `\`${shown}\` does not belong here: the value before it has ended`,
  };
}

function indentation(at: number): Explanation {
  return {
    at,
    code: "yaml-indentation",
    message: "the indentation of this line fits nothing above it",
    hint: "line it up with its neighbours, using spaces",
  };
}

/** What the library says, in plain words. */
const OTHERS:
  readonly (readonly [words: string, plain: string, hint?: string])[] = [
    [
      "Missing , or : between",
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
