import { type Document, Lexer, LineCounter, type YAMLParseError } from "yaml";
import { lineOf, positionAt, START } from "../../base/text/location.ts";
import { conceal, type Range } from "./conceal.ts";
import { type Hiding, withoutCredentialLines } from "./hidden.ts";
import type { Node } from "./node.ts";
import { parsedDocument } from "./parse_document.ts";
import type { Reader } from "./reader.ts";
import { checkSource } from "./source_text.ts";
import {
  type Context,
  doubleQuoted,
  explain,
  type Explanation,
} from "./yaml_explanation.ts";
import { convertDocument, MAX_NESTING, reportTooDeep } from "./yaml_nodes.ts";

/**
 * Reports what keeps a text from being YAML. One slip makes the library report
 * many errors, so only the first is reported, except for unquoted templates: those
 * are distinguished, and each is on its own line.
 */
function explainYamlErrors(
  document: Document,
  source: string,
  lines: LineCounter,
  reader: Reader,
): void {
  const shown = withoutCredentialLines(
    source,
    (line) => conceal(line, [[0, line.length]]),
  );
  let trapped = false;
  let other: Explanation & { at: number } | undefined;
  /** A line may have a thousand errors: nothing is learnt up to here. */
  let done = -1;
  const errors = document.errors.toSorted((a, b) =>
    order(a, source) - order(b, source)
  );
  for (const error of errors) {
    if (error.pos[0] < done) continue;
    const context = contextOf(document, error, source, lines, shown);
    const { line, lineStart } = context;
    const template = templateIn(line);
    const trap = template && templateTrap(context, template);
    if (trap) {
      trapped = true;
      report(trap);
    } else other ??= { at: context.at, ...explain(context) };
    done = template && !trap
      ? lineStart + template[0]
      : lineStart + line.length + 1;
  }
  // With a trap, what follows it is likely to be its consequence.
  if (!trapped && other) report(other);

  function report(explanation: Explanation & { at: number }): void {
    const { at, length = 1, ...rest } = explanation;
    const { line, col } = lines.linePos(Math.min(at, source.length));
    reader.report({
      ...rest,
      at: reader.at({ line, column: col, length }),
    });
  }
}

/** An error at a line break comes after one that is about the next line itself. */
function order({ pos: [at] }: YAMLParseError, source: string): number {
  const lineBreak = /^\r?\n/.exec(source.slice(at, at + 2))?.[0] ?? "";
  return lineBreak === "" ? at : at + lineBreak.length + 0.5;
}

function contextOf(
  document: Document,
  error: YAMLParseError,
  source: string,
  lines: LineCounter,
  shown: string,
): Context {
  const [at] = error.pos;
  const { line: number, col } = lines.linePos(at);
  const line = lineOf(source, number) ?? "";
  const lineStart = at - col + 1;
  const whole = line.slice(col - 1).replace(/\s+#.*$/, "").trimEnd();
  const rest = whole.trimStart();
  const end = at + whole.length;
  const shownRest = shown.slice(end - rest.length, end);
  const around = { document, error, source, shown, at };
  return { ...around, line, lineStart, rest, shownRest };
}

/** Where a line has a value that begins with an unquoted template. */
function templateIn(line: string): Range | undefined {
  const match = /(^|[:\-,[{]\s+)(\{\{[^{}]*\}\}(?:[^#]|\S#)*)/.exec(line);
  if (!match) return;
  const start = match.index + match[1]!.length;
  return [start, start + match[2]!.trim().length];
}

/** `url: {{ base }}/x`: the text after an unquoted template is the error. */
function templateTrap(
  { lineStart, at, shown }: Context,
  [from, to]: Range,
): Explanation & { readonly at: number } | undefined {
  const start = lineStart + from;
  if (at < start + 4) return;
  const length = to - from;
  const value = shown.slice(start, start + length);
  const template = value.slice(0, value.indexOf("}}") + 2);
  return {
    at: start,
    length,
    code: "unquoted-template",
    message:
      `YAML reads an unquoted ${template} as a mapping, so nothing may follow it`,
    hint: `quote this template: ${doubleQuoted(value)}`,
  };
}

/**
 * Reads a file that is exactly one YAML 1.2 document (core schema). Errors
 * of YAML itself are reported and give undefined; errors that leave the shape
 * readable (a repeated key, a tag, an undefined alias) are reported and reading
 * goes on.
 *
 * @param hiding literals that no diagnostic shows
 */
export function readYaml(
  text: string,
  reader: Reader,
  hiding: Hiding = () => false,
): Node | undefined {
  const source = text.startsWith("\ufeff") ? text.slice(1) : text;
  reader.text = source;
  if (!checkSource(source, reader)) return;
  if (!checkDirectives(source, reader)) return;
  const parsed = parseYaml(source);
  if (!parsed) {
    const at = { ...positionAt(source, tooDeepAt(source)), length: 1 };
    reportTooDeep(reader.at(at), reader);
    return;
  }
  const { document, lines } = parsed;
  if (document.errors.length > 0) {
    explainYamlErrors(document, source, lines, reader);
    return;
  }
  const [start = 0, end = 0] = document.contents?.range ?? [];
  if (start === end) {
    const message = "the file is empty";
    reader.report({ at: reader.at(START), code: "empty-file", message });
    return;
  }
  return convertDocument(document, source, lines, reader, hiding);
}

/** Tokens of the library that are no text. */
const MARKS = new Set(["\x02", "\x18", "\x1f"]);

/**
 * Where a text that is too deep for the library opens one level too many, by its
 * brackets and its indentation.
 */
function tooDeepAt(source: string): number {
  const columns: number[] = [];
  let brackets = 0;
  let at = 0;
  let lineStart = 0;
  let begins = true;
  for (const token of new Lexer().lex(source)) {
    if (MARKS.has(token)) continue;
    const isBlank = /^\s*(?:#|$)/.test(token);
    if (begins && brackets === 0 && !isBlank) {
      const column = at - lineStart;
      while ((columns.at(-1) ?? -1) >= column) columns.pop();
      columns.push(column);
    }
    if (token === "[" || token === "{") brackets++;
    if (token === "]" || token === "}") brackets--;
    if (columns.length + brackets > MAX_NESTING) return at;
    at += token.length;
    if (token.endsWith("\n")) lineStart = at;
    begins = isBlank ? begins || token.endsWith("\n") : token === "-";
  }
  return 0;
}

/** Undefined when the library gave up on its depth. */
function parseYaml(
  source: string,
): { document: Document.Parsed; lines: LineCounter } | undefined {
  const lines = new LineCounter();
  const document = parsedDocument(source, {
    lineCounter: lines,
    strict: true,
    // Checked while converting, with better words, as repeated keys are.
    stringKeys: false,
    schema: "core",
    version: "1.2",
  });
  return document && { document, lines };
}

/** Reports where a text that is no flow file stops being YAML. */
export function reportYamlErrors(source: string, reader: Reader): void {
  const parsed = parseYaml(source);
  if (!parsed) return;
  explainYamlErrors(parsed.document, source, parsed.lines, reader);
}

/** `%YAML 1.1` would change what `yes` and `0o7` mean. */
function checkDirectives(source: string, reader: Reader): boolean {
  const [, before, directive = ""] =
    /^((?:[ \t]*(?:#.*)?\r?\n)*)(%.*)/.exec(source) ?? [];
  if (before === undefined) return true;
  const line = before.split("\n").length;
  const length = directive.trimEnd().length;
  reader.report({
    at: reader.at({ line, column: 1, length }),
    code: "yaml-directive",
    message: "YAML directives are not supported: files are YAML 1.2",
    hint: "remove the line",
  });
  return false;
}
