import type { Document, LineCounter, YAMLParseError } from "yaml";
import type { Span } from "../text/span.ts";
import type { Reader } from "./reader.ts";
import { collectionBefore, quotedScalarsBefore } from "./yaml_context.ts";

/** A mistake of YAML itself, in words. */
interface Explanation {
  /** Where in the text; the error's own place when absent. */
  readonly at?: number;
  readonly length?: number;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

interface Context {
  readonly document: Document;
  readonly error: YAMLParseError;
  readonly source: string;
  /** Offset of the mistake. */
  readonly at: number;
  /** The whole line it is on, without its break. */
  readonly line: string;
  readonly lineStart: number;
}

/**
 * Reports what keeps a text from being YAML. One slip makes the library report
 * many errors, so only the first is told, except for unquoted templates: those
 * are told apart, and each stands on its own line.
 */
export function explainYamlErrors(
  document: Document,
  errors: readonly YAMLParseError[],
  source: string,
  lines: LineCounter,
  reader: Reader,
): void {
  const trapped = new Set<number>();
  let other: Explanation & { at: number } | undefined;
  for (const error of [...errors].sort((a, b) => a.pos[0] - b.pos[0])) {
    const context = contextOf(document, error, source);
    if (trapped.has(context.lineStart)) continue;
    const trap = templateTrap(context);
    if (trap) trapped.add(context.lineStart);
    const { at = context.at, ...rest } = trap ?? explain(context);
    if (trap) report({ at, ...rest });
    else other ??= { at, ...rest };
  }
  // With a trap, what follows it is likely to be its consequence.
  if (trapped.size === 0 && other) report(other);

  function report(explanation: Explanation & { at: number }): void {
    const { at, length = 1, code, message, hint } = explanation;
    const { line, col } = lines.linePos(Math.min(at, source.length));
    const span: Span = { line, column: col, length };
    reader.report(span, code, message, hint);
  }
}

function contextOf(
  document: Document,
  error: YAMLParseError,
  source: string,
): Context {
  const at = error.pos[0];
  const lineStart = source.lastIndexOf("\n", at - 1) + 1;
  const newline = source.indexOf("\n", lineStart);
  const line = source.slice(lineStart, newline < 0 ? undefined : newline)
    .replace(/\r$/, "");
  return { document, error, source, at, line, lineStart };
}

/** `url: {{ base }}/x`: the text after an unquoted template is the error. */
function templateTrap(
  { line, lineStart, at }: Context,
): Explanation | undefined {
  const match = /(^|[:\-,[{]\s+)(\{\{[^{}]*\}\}(?:[^#]|\S#)*)/.exec(line);
  if (!match) return;
  const start = lineStart + match.index + match[1]!.length;
  if (at < start + 4) return;
  const value = match[2]!.trim();
  const template = value.slice(0, value.indexOf("}}") + 2);
  return {
    at: start,
    length: value.length,
    code: "unquoted-template",
    message:
      `YAML reads an unquoted ${template} as a mapping, so nothing may follow it`,
    hint: `quote this template: ${doubleQuoted(value)}`,
  };
}

function explain(context: Context): Explanation {
  const { error } = context;
  switch (error.code) {
    case "TAB_AS_INDENT":
      return {
        code: "yaml-tab",
        message: "tabs may not indent YAML",
        hint: "indent with spaces",
      };
    case "MULTIPLE_DOCS":
      return {
        code: "several-documents",
        message:
          "the file must be exactly one YAML document, but a second starts here",
        hint: "keep one document, without `---` or `...` after it",
      };
    case "BAD_DQ_ESCAPE": {
      const escape = context.source.slice(context.at, context.at + 2);
      return {
        code: "yaml-escape",
        message: `\`${escape}\` is not an escape of double-quoted YAML`,
        hint: `write \`\\${escape}\`, or use single quotes`,
        length: 2,
      };
    }
    case "BAD_SCALAR_START": {
      const char = context.source[context.at] ?? "";
      return {
        code: "yaml-quote",
        message: `an unquoted value cannot start with ${
          char === "`" ? "a backtick" : `\`${char}\``
        }`,
        hint: `quote it: ${doubleQuoted(restOfLine(context))}`,
      };
    }
    default:
      return explainQuote(context) ?? explainShape(context);
  }
}

/** A quote that is not closed shows up as some error further down. */
function explainQuote(context: Context): Explanation | undefined {
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

function explainShape(context: Context): Explanation {
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
  if (message.includes("block sequence may not be used")) {
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

function restOfLine({ line, at, lineStart }: Context): string {
  return line.slice(at - lineStart).replace(/\s+#.*$/, "").trim();
}

/** `text` as a quoted YAML scalar. */
function doubleQuoted(text: string): string {
  return /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}
