import { LineCounter, parseDocument, visit, type YAMLParseError } from "yaml";
import type { Node } from "./node.ts";
import type { Reader } from "./reader.ts";
import { checkSource } from "./source_text.ts";
import { explainYamlErrors } from "./yaml_errors.ts";
import { convertDocument, reportTooDeep } from "./yaml_nodes.ts";

/**
 * Reads a file that is exactly one YAML 1.2 document (core schema). Mistakes
 * of YAML itself are reported and give undefined; mistakes that leave the shape
 * readable (a repeated key, a tag, an undefined alias) are reported and reading
 * goes on.
 */
export function readYaml(text: string, reader: Reader): Node | undefined {
  const source = text.startsWith("\ufeff") ? text.slice(1) : text;
  reader.text = source;
  if (!checkSource(source, reader)) return;
  if (!checkDirectives(source, reader)) return;
  const lines = new LineCounter();
  let document: ReturnType<typeof parseDocument>;
  try {
    document = parseDocument(source, {
      lineCounter: lines,
      prettyErrors: false,
      strict: true,
      // Both are checked while converting, with better words.
      uniqueKeys: false,
      stringKeys: false,
      schema: "core",
      version: "1.2",
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    reportTooDeep({ line: 1, column: 1, length: 1 }, reader);
    return;
  }
  const problems: YAMLParseError[] = document.errors;
  if (problems.length > 0) {
    explainYamlErrors(document, problems, source, lines, reader);
    return;
  }
  if (isEmpty(document)) {
    reader.report(
      { line: 1, column: 1, length: 1 },
      "empty-file",
      "the file is empty",
    );
    return;
  }
  return convertDocument(document, source, lines, reader);
}

/** `%YAML 1.1` would change what `yes` and `0o7` mean. */
function checkDirectives(source: string, reader: Reader): boolean {
  const before = /^(?:[ \t]*(?:#.*)?\r?\n)*(?=%)/.exec(source);
  if (!before) return true;
  const line = before[0].split("\n").length;
  const length = /^%.*/m.exec(source)![0].trimEnd().length;
  reader.report(
    { line, column: 1, length },
    "yaml-directive",
    "YAML directives are not supported: files are YAML 1.2",
    "remove the line",
  );
  return false;
}

function isEmpty(document: ReturnType<typeof parseDocument>): boolean {
  let found = false;
  visit(document, {
    Node(_, node) {
      const range = node.range;
      if (range && range[1] > range[0]) found = true;
      return visit.BREAK;
    },
  });
  return !found;
}
