import { type Document, LineCounter } from "yaml";
import { START } from "../../base/text/location.ts";
import { parsedDocument } from "./parse_document.ts";
import { conceal } from "./conceal.ts";
import { hiddenIn, type Hiding } from "./hidden.ts";
import type { Node } from "./node.ts";
import type { Reader } from "./reader.ts";
import { checkSource } from "./source_text.ts";
import { explainYamlErrors } from "./yaml_errors.ts";
import { convertDocument, reportTooDeep } from "./yaml_nodes.ts";

/**
 * Reads a file that is exactly one YAML 1.2 document (core schema). Errors
 * of YAML itself are reported and give undefined; errors that leave the shape
 * readable (a repeated key, a tag, an undefined alias) are reported and reading
 * goes on.
 *
 * @param hiding literals that are refused wherever they stand: from here on,
 *   the reader's text and every node have dots in their place
 */
export function readYaml(
  text: string,
  reader: Reader,
  hiding?: Hiding,
): Node | undefined {
  const source = text.startsWith("\ufeff") ? text.slice(1) : text;
  reader.text = source;
  if (!checkSource(source, reader)) return;
  if (!checkDirectives(source, reader)) return;
  const parsed = parseYaml(source);
  if (!parsed) {
    reportTooDeep(reader.at(START), reader);
    return;
  }
  const { document, lines } = parsed;
  const hidden = hiding ? hiddenIn(source, hiding, document) : [];
  if (document.errors.length > 0) {
    reader.text = conceal(source, hidden);
    explainYamlErrors(document, source, lines, reader, reader.text);
    return;
  }
  const [start = 0, end = 0] = document.contents?.range ?? [];
  if (start === end) {
    const message = "the file is empty";
    reader.report({ at: reader.at(START), code: "empty-file", message });
    return;
  }
  if (hidden.length === 0) {
    return convertDocument(document, source, lines, reader);
  }
  // What is hidden is refused, so reading goes on with dots in its place.
  return readYaml(conceal(source, hidden), reader);
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
