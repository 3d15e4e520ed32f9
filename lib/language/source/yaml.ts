import { type Document, LineCounter, visit } from "yaml";
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
  if (isEmpty(document)) {
    reader.report({
      at: reader.at(START),
      code: "empty-file",
      message: "the file is empty",
    });
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
  const [first] = document?.errors.toSorted((a, b) => a.pos[0] - b.pos[0]) ??
    [];
  // What depth does to the library may end up among the errors of the text.
  const tooDeep = /call stack|stack overflow/i.test(first?.message ?? "");
  return document && !tooDeep ? { document, lines } : undefined;
}

/** `%YAML 1.1` would change what `yes` and `0o7` mean. */
function checkDirectives(source: string, reader: Reader): boolean {
  const before = /^(?:[ \t]*(?:#.*)?\r?\n)*(?=%)/.exec(source);
  if (!before) return true;
  const line = before[0].split("\n").length;
  const length = /^%.*/m.exec(source)![0].trimEnd().length;
  reader.report({
    at: reader.at({ line, column: 1, length }),
    code: "yaml-directive",
    message: "YAML directives are not supported: files are YAML 1.2",
    hint: "remove the line",
  });
  return false;
}

function isEmpty(document: Document): boolean {
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
