import { formatSubject } from "../expressions/assertion.ts";
import { parseReference } from "../expressions/template.ts";
import { checkTypes } from "../expressions/assertion_types.ts";
import { parseQuery } from "../json_path/path_reader.ts";
import { compilePattern, patternHint } from "../patterns/pattern.ts";
import {
  type BenchError,
  expressionError,
} from "../../base/errors/bench_error.ts";
import type { Subject } from "../expressions/assertion_ir.ts";
import { type Operator, OPERATORS } from "../expressions/operator.ts";
import type { Assertion } from "../ir.ts";
import type { Report } from "../../base/text/diagnostic.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { elsewhere, offeredBy } from "../expressions/elsewhere.ts";
import { meantPath } from "../expressions/meant_path.ts";
import { child } from "../../base/values/json.ts";
import { RESERVED_NAMES, reservedName } from "../flow/extract.ts";
import {
  type CheckedStep,
  extractedBefore,
  type KnownNames,
  type LoneStep,
} from "./parts.ts";

/** Checks the assertions of a step, those inside its block included. */
export function checkAssertions(checked: CheckedStep): void {
  const { step, pointer, index, parts } = checked;
  checkEvidence(checked);
  for (const [at, assertion] of (step.assert ?? []).entries()) {
    // A step extracts before it asserts, so its own variables are known.
    checkOne(assertion, `${pointer}/assert/${at}`, index, checked);
  }
  for (const { pointer: at, value, bodyAlone } of parts.of("assertion")) {
    if (bodyAlone && value.subject.kind === "variable") continue;
    checkOne(value, at, index - 1, checked);
  }
}

/** Refuses assertions and extractions on what the step's response does not have. */
function checkEvidence({ step, pointer, kind, report }: LoneStep): void {
  const has = kind?.evidence?.(step.block);
  if (!has) return;
  const there = (source: string) =>
    source === "status"
      ? has.status
      : source === "header" || source === "cookie"
      ? has.headers
      : has.body;
  const check = (at: string, source: string) =>
    there(source) || report({
      at: `${pointer}/${at}`,
      code: "no-evidence",
      message: has.body
        ? `a \`${step.kind}\` frame has no ${source}: assert on its JSON with a path starting with $`
        : `this \`${step.kind}\` step receives nothing, so there is nothing to look at`,
      hint: source === "status" ? has.hint : undefined,
    });
  for (const [at, { subject }] of (step.assert ?? []).entries()) {
    check(`assert/${at}`, subject.kind);
  }
  for (const [name, { from }] of Object.entries(step.extract ?? {})) {
    check(child("extract", name), from);
  }
}

/** Checks the names and JSON paths of a step's extractions. */
export function checkExtractions(
  { step, pointer, names, report }: CheckedStep,
): void {
  for (const [name, extraction] of Object.entries(step.extract ?? {})) {
    const at = child(`${pointer}/extract`, name);
    checkName(name, at, names, report);
    const by = names.steps[names.extractedBy.get(name) ?? Infinity];
    if (names.list !== "setup" && by?.list === "setup") {
      report({
        at,
        code: "reserved-name",
        message:
          `\`${name}\` is extracted by step \`${by.step.id}\` of \`setup\` already`,
        hint: "choose another name: what `setup` extracts stays the same",
      });
    }
    if (names.values.has(name)) {
      report({
        at,
        code: "reserved-name",
        message: `\`${name}\` is drawn under \`values\` already`,
        hint: "choose another name",
      });
    }
    if (extraction.from === "body") checkJsonPath(extraction.path, at, report);
    if ("pattern" in extraction) checkPattern(extraction, at, report);
  }
}

/** Checks the pattern of an extraction, and that it has the group. */
function checkPattern(
  { pattern = "", group = 0 }: { pattern?: string; group?: number },
  pointer: string,
  report: Report,
): void {
  try {
    const { groups } = compilePattern(pattern);
    if (group <= groups) return;
    report({
      at: `${pointer}/group`,
      code: "extract-pattern",
      message: `there is no group ${group}: the pattern has ${
        groups === 0 ? "none" : groups
      }`,
      hint: "a group is what stands in parentheses; 0 is the whole match",
    });
  } catch (error) {
    const { message, hint = patternHint(pattern) } = error as BenchError;
    const at = `${pointer}/pattern`;
    report({ at, code: "extract-pattern", message, hint });
  }
}

/** Checks the name of a variable, or of a value that is drawn. */
export function checkName(
  name: string,
  at: string,
  { pools }: KnownNames,
  report: Report,
): void {
  if (RESERVED_NAMES.includes(name) || pools.has(name)) {
    report({
      at,
      code: "reserved-name",
      message: reservedName(name),
      hint: "choose another name",
    });
  }
  const shadow = SHADOWS.get(name.toLowerCase());
  if (!shadow) return;
  report({
    at,
    severity: "warning",
    code: "shadowed-name",
    message: `in an assertion ${shadow} of the response, not this variable`,
    hint: "choose another name, unless it is used in templates alone",
  });
}

/** The subjects that an assertion may begin with, whatever variables there are. */
const SHADOWS: ReadonlyMap<string, string> = new Map([
  ["status", "`status` is the status"],
  ["latency", "`latency` is the latency"],
  ["header", "`header.<Name>` is a header"],
]);

/** Warns of a subject that a variable is called like, too. */
function checkShadowed(
  subject: Subject,
  pointer: string,
  until: number,
  { names, report }: CheckedStep,
): void {
  if (subject.kind === "variable" || subject.kind === "body") return;
  const written = formatSubject(subject);
  const [word] = written.split(".");
  const [name, first = Infinity] = names.extractedBy.entries()
    .find(([each]) => each.toLowerCase() === word) ?? [];
  if (first > until) return;
  const source = names.steps[first];
  const by = source ? `step \`${source.step.id}\` extracts` : "`values` draws";
  report({
    at: { pointer, inside: written },
    severity: "warning",
    code: "shadowed-name",
    message:
      `\`${written}\` is of this response, not of the variable \`${name}\` that ${by}`,
    hint: "to compare the variable, give it another name",
  });
}

/** @param until index of the last step whose variables are known */
function checkOne(
  assertion: Assertion,
  pointer: string,
  until: number,
  checked: CheckedStep,
): void {
  const { names, bareNames, kind, report } = checked;
  const { subject } = assertion;
  checkShadowed(subject, pointer, until, checked);
  const word = bareNames.get(pointer);
  if (word !== undefined) {
    checkBareName(word, assertion.op, pointer, until + 1, checked);
  }
  if (subject.kind === "body") {
    checkJsonPath(subject.path, pointer, report);
    checkLength(assertion, subject.path, pointer, report);
  }
  const error = expressionError(() =>
    checkTypes(assertion, { op: 0, value: 0 }, kind?.statusNames)
  );
  if (error) {
    const { code, message, hint } = error;
    report({ at: pointer, code, message, hint });
  }
  if (subject.kind !== "variable") return;
  const root = rootOf(subject.name, pointer, report);
  if (root === undefined) return;
  const first = names.extractedBy.get(root);
  if (first !== undefined && first <= until) return;
  if (names.anyAfter <= until) return;
  const inside = formatSubject(subject);
  const other = names.unknown.get(root);
  report({
    at: { pointer, inside },
    code: "unknown-variable",
    message: other
      ? `\`${root}\` is not known in \`${names.list}\`: it is extracted by step \`${other.step.id}\` of \`${other.list}\``
      : first === undefined
      ? `\`${root}\` is not a variable: no step extracts it${
        names.values.size > 0 ? ", and `values` does not draw it" : ""
      }`
      : `\`${root}\` is not known here: it is extracted only later`,
    hint: hintFor(root, inside, assertion, names),
  });
}

/** The variable of a subject; what a program wrote into the IR may be none. */
function rootOf(
  name: string,
  pointer: string,
  report: Report,
): string | undefined {
  const reference = parseReference(name);
  if (reference) return reference.root;
  const message = `\`${name}\` is not the name of a variable`;
  report({ at: pointer, code: "assertion-subject", message });
}

function hintFor(
  root: string,
  written: string,
  { op, value }: Assertion,
  names: KnownNames,
): string {
  if (names.pools.has(root)) {
    return `put the fixture value on the right: $.path == {{ ${written} }}`;
  }
  if (names.extractedBy.has(root)) return "move the step that extracts it up";
  // `header["Content-Type"]`
  if (/^header\.[\w-]+$/i.test(written)) return `did you mean \`${written}\`?`;
  const known = ["status", "latency", ...names.extractedBy.keys()];
  const meant = elsewhere("subject", written);
  // Other tools measure in milliseconds, without a unit.
  if (offeredBy(meant) === "latency" && typeof value === "number") {
    return `write it as \`latency ${op} ${value}ms\``;
  }
  return meant ?? didYouMean(written, known) ??
    `for a value of the body write \`${meantPath(written)}\``;
}

/** Warns where the items of a list are to be counted as they are in JavaScript. */
function checkLength(
  { op, value }: Assertion,
  path: string,
  pointer: string,
  report: Report,
): void {
  const list = /^(.+)(?:\.length|\['length'\])$/.exec(path)?.[1];
  if (list === undefined || !Number.isInteger(value)) return;
  report({
    at: { pointer, inside: path },
    severity: "warning",
    code: "list-length",
    message:
      `\`${path}\` is a member called \`length\`: a JSON path does not count the items of a list`,
    hint:
      `how many items it has is \`length(${list}) ${op} ${value}\`, in a flow file with \`version: 1\``,
  });
}

function checkJsonPath(path: string, pointer: string, report: Report): void {
  const error = expressionError(() => parseQuery(path));
  if (!error) return;
  const { message, offset, hint } = error;
  report({
    at: pointer,
    code: "json-path",
    message: `${message} (column ${offset + 1} of \`${path}\`)`,
    hint,
  });
}

/**
 * Reports a bare word on the right of an assertion that is the name of
 * something known there: compared as a word it equals no value that was meant.
 *
 * @param index of the first step whose variables are not known there
 */
function checkBareName(
  word: string,
  op: Operator,
  pointer: string,
  index: number,
  { names, report }: CheckedStep,
): void {
  const { root, path } = parseReference(word)!;
  const meant = path.length === 0 ? LITERALS_ELSEWHERE.get(root) : undefined;
  if (meant !== undefined && OPERATORS[op].takes !== "a pattern") {
    report({
      at: `${pointer}/value`,
      severity: "warning",
      code: "bare-literal",
      message: `\`${word}\` is compared as the text "${word}"`,
      hint:
        `for the value write \`${meant}\`, for the text put it in quotes: "${word}"`,
    });
    return;
  }
  const named = whatIs(root, index, names);
  if (!named) return;
  const template = path.length > 0 || named.part === undefined
    ? `{{ ${word} }}`
    : `{{ ${root}.${named.part} }}`;
  report({
    at: `${pointer}/value`,
    code: "bare-name",
    message:
      `\`${word}\` is compared as the text "${word}", but \`${root}\` is ${named.noun}`,
    hint: OPERATORS[op].takes === "a pattern"
      ? `a pattern is not templated: put it in quotes: "${word}"`
      : `for the value write ${template}, for the text put it in quotes: "${word}"`,
  });
}

/** Values as other languages write them, and as JSON does. */
const LITERALS_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ...["True", "TRUE"].map((each) => [each, "true"] as const),
  ...["False", "FALSE"].map((each) => [each, "false"] as const),
  ...["None", "nil", "undefined", "Null", "NULL"]
    .map((each) => [each, "null"] as const),
]);

interface Named {
  readonly noun: string;
  /** The path that has to follow the name in a template. */
  readonly part?: string;
}

function whatIs(
  root: string,
  index: number,
  names: KnownNames,
): Named | undefined {
  if (root === "env") {
    return { noun: "the name of the environment", part: "<NAME>" };
  }
  if (names.pools.has(root)) {
    return { noun: "the name of the fixture", part: "<column>" };
  }
  return extractedBefore(names, root, index)
    ? { noun: "a variable" }
    : undefined;
}
