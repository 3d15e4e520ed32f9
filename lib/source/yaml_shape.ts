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
  const rest = restOfLine(context);
  return {
    at,
    length: Math.max(1, rest.length),
    code: "yaml-quote",
    message: `\`${rest}\` follows a closing quote`,
    hint: "put the whole value inside the quotes",
  };
}

/** Brackets, colons and indentation. */
export function explainShape(context: Context): Explanation {
  const { document, error, source, at, line } = context;
  const { message } = error;
  const rest = restOfLine(context);
  if (/must be sufficiently indented|Expected flow/.test(message)) {
    const open = collectionBefore(document, source, at);
    if (open !== undefined) {
      return {
        at: open,
        code: "yaml-syntax",
        message: `this \`${source[open]}\` is not closed`,
        hint: `close it with \`${source[open] === "{" ? "}" : "]"}\``,
      };
    }
  }
  if (/flow-seq-start at node end|flow-map-start at node end/.test(message)) {
    return {
      code: "yaml-quote",
      message: `an unquoted value inside { } or [ ] cannot hold \`${
        source[at]
      }\``,
      hint: "quote the value, or write it on a line of its own",
    };
  }
  if (/Unexpected flow-(seq|map)-end/.test(message)) {
    return {
      code: "yaml-syntax",
      message: `this \`${source[at]}\` closes nothing`,
    };
  }
  if (message.includes("block-seq-ind on same line")) {
    return {
      code: "yaml-syntax",
      message: "a list cannot start on the line of its key",
      hint: "put each `- ` on a line of its own below the key",
    };
  }
  if (message.includes("Nested mappings are not allowed")) {
    if (/: |:$/.test(rest.replace(/^(["']).*?\1/, ""))) {
      return {
        code: "yaml-quote",
        message: "an unquoted value cannot hold `: `",
        hint: `quote it: ${doubleQuoted(rest)}`,
        length: rest.length,
      };
    }
    return tooDeep(context);
  }
  if (/block sequence may not be used|item without - indicator/.test(message)) {
    return indentation(at + indentOf(source.slice(at)));
  }
  if (
    /same column|Implicit keys need|Implicit map keys|at node end/.test(message)
  ) {
    if (message.includes("same column")) {
      return indentation(at + indentOf(source.slice(at)));
    }
    return {
      code: "yaml-syntax",
      message: `expected \`key: value\`, but this is \`${rest}\``,
      hint: /^[\w-]+:\S/.test(line.trim())
        ? "put a space after the colon"
        : "check the indentation and the colon after the key",
      length: Math.max(1, rest.length),
    };
  }
  if (message.startsWith("Not a YAML token")) {
    return {
      code: "yaml-syntax",
      message: "no text may stand on the line of `|` or `>`",
      hint: "start the text on the next line, indented",
      length: Math.max(1, rest.length),
    };
  }
  return {
    code: "yaml-syntax",
    message: `YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
  };
}

/** A line that is indented below a key whose value is already there. */
function tooDeep({ source, lineStart }: Context): Explanation {
  const next = /\n([ ]*)\S/.exec(source.slice(lineStart));
  const at = next ? lineStart + next.index + 1 + next[1]!.length : lineStart;
  return indentation(at);
}

function indentation(at: number): Explanation {
  return {
    at,
    code: "yaml-indentation",
    message: "the indentation of this line fits nothing above it",
    hint: "line it up with its neighbours, using spaces",
  };
}

function indentOf(text: string): number {
  return /^[ ]*/.exec(text)![0].length;
}
