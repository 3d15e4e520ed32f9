import type { Document, LineCounter, YAMLParseError } from "yaml";
import { lineOf } from "../../base/text/lines.ts";
import type { Range } from "./conceal.ts";
import type { Reader } from "./reader.ts";
import {
  type Context,
  doubleQuoted,
  explain,
  type Explanation,
} from "./yaml_explanation.ts";

/**
 * Reports what keeps a text from being YAML. One slip makes the library report
 * many errors, so only the first is reported, except for unquoted templates: those
 * are distinguished, and each is on its own line.
 *
 * @param shown the source as messages may quote it
 */
export function explainYamlErrors(
  document: Document,
  source: string,
  lines: LineCounter,
  reader: Reader,
  shown: string = source,
): void {
  let trapped = false;
  let other: Explanation & { at: number } | undefined;
  /** A line may have a thousand errors: nothing is learnt up to here. */
  let done = -1;
  const errors = document.errors.toSorted((a, b) => a.pos[0] - b.pos[0]);
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
