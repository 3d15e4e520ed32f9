import {
  bareName,
  formatSubject,
  parseAssertion,
  type StatusNames,
} from "../expressions/assertion.ts";
import {
  type Assertion,
  assertionSchema,
  versionOf,
} from "../expressions/assertion_ir.ts";
import { meantPath } from "../expressions/meant_path.ts";
import { OPERATORS } from "../expressions/operator.ts";
import { versionHint } from "../fields/mapping.ts";
import { expressions } from "../fields/expressions.ts";
import { DEFINED } from "../fields/templates.ts";
import type { Value } from "../fields/field.ts";

/** The key of a mapping in place of an assertion on a frame is a part of it. */
const FRAME = { subject: (key: string) => `$.${key}` };

/** Expectations of Artillery, by their words in lower case. */
const EXPECTATIONS: Readonly<Record<string, (value: string) => string>> = {
  statuscode: (status) => `status == ${status}`,
  notstatuscode: (status) => `status != ${status}`,
  contenttype: (type) => `header.Content-Type contains ${type}`,
  hasheader: (name) => `header.${name} exists`,
  hasproperty: (name) => `${meantPath(name) ?? "$"} exists`,
  nothasproperty: (name) => `${meantPath(name) ?? "$"} not_exists`,
};

/** The assertion that such an expectation is. */
function expectation(key: string, value: string): string | undefined {
  const word = key.toLowerCase();
  return Object.hasOwn(EXPECTATIONS, word)
    ? EXPECTATIONS[word]!(value)
    : undefined;
}

/**
 * A list of assertions.
 *
 * @param statuses names that may be used for a status
 */
export function assertions(
  options: Parameters<typeof expressions>[1] & {
    /** They look at a body alone. */
    readonly bodyAlone?: true;
  } = {},
  statuses?: StatusNames,
): Value<Assertion[]> {
  const { bodyAlone } = options;
  return expressions({
    noun: "an assertion",
    example: bodyAlone ? "$.type == ready" : "status == 200",
    ...(bodyAlone ? FRAME : { elsewhere: expectation }),
    parse: (text, version) => parseAssertion(text, statuses, version),
    schema: assertionSchema,
    form: DEFINED.assertion,
    *parts(value, pointer) {
      const alone = bodyAlone && { bodyAlone };
      yield { role: "assertion", pointer, value, ...alone };
      if (versionOf(value) > 0) yield { role: "since", pointer, ir: 2 };
    },
    note(assertion, { text }, slot) {
      const { op } = assertion;
      if (versionOf(assertion) > slot.reader.version) {
        const word = OPERATORS[op].version
          ? op
          : formatSubject(assertion.subject);
        // A path has one spelling in the IR, and others in the file.
        const part = text.includes(word) ? word : text.trim();
        const behind = new RegExp(`(?<=\\s)${word}\\s`);
        const at = word === op ? text.search(behind) : text.indexOf(part);
        slot.report({
          at: slot.inside(at, part.length),
          code: "later-version",
          message: `unknown ${
            OPERATORS[op].version ? "operator" : "subject"
          } \`${word}\``,
          hint: versionHint(`\`${word}\``),
        });
        return;
      }
      const slashes = slashesOf(text, assertion);
      if (slashes) {
        const [literal, pattern] = slashes;
        slot.report({
          at: slot.inside(text.lastIndexOf(literal), literal.length),
          code: "pattern-in-slashes",
          message: `the slashes of \`${literal}\` are a part of the pattern`,
          hint:
            `leave them out: ${pattern}; for a text with slashes in it put the pattern in quotes`,
          severity: "warning",
        });
      }
      const name = bareName(text, assertion);
      if (name === undefined) return;
      const at = slot.inside(text.lastIndexOf(name), name.length);
      slot.reader.bareNames.set(slot.pointer, name);
      slot.reader.locate(`${slot.pointer}/value`, at);
    },
  }, options);
}

/** Names of values that are addresses, which may hold slashes. */
const ADDRESS = /ur[il]|path|href|link|location|route|src|ref|referer/i;

/** A pattern as other languages write it, `/^a+$/i`, and what is between the slashes. */
function slashesOf(
  text: string,
  { op, subject, value }: Assertion,
): readonly [literal: string, pattern: string] | undefined {
  if (OPERATORS[op].takes !== "a pattern" || typeof value !== "string") return;
  if (!text.trimEnd().endsWith(value)) return;
  const [, pattern] = /^\/([^/]+)\/[a-z]*$/.exec(value) ?? [];
  if (pattern === undefined) return;
  const named = subject.kind === "body"
    ? subject.path
    : "name" in subject
    ? subject.name
    : "";
  const isAnchored = /^\^|\$$/.test(pattern);
  return isAnchored || !ADDRESS.test(named) ? [value, pattern] : undefined;
}
