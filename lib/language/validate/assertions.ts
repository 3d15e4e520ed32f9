import { formatSubject } from "../expressions/assertion.ts";
import { checkTypes } from "../expressions/assertion_types.ts";
import { checkPath } from "../json_path/json_path.ts";
import { ExpressionError } from "../../base/errors/expression_error.ts";
import type { Assertion, Flow, Step } from "../ir.ts";
import type { Report } from "../../base/text/diagnostic.ts";
import { nearest } from "../../base/text/suggest.ts";
import { child } from "../../base/values/pointer.ts";
import { RESERVED_NAMES, reservedName } from "../flow/extract.ts";
import type { Kind } from "../flow/kind.ts";
import { checkBareName } from "./bare_names.ts";
import type { KnownNames } from "./known_names.ts";
import type { Parts } from "./parts.ts";

/** What the right sides and subjects of assertions are checked against. */
interface Known {
  readonly kind: Kind | undefined;
  readonly parts: Parts;
  readonly names: KnownNames;
  /** See `Reader.bareNames`. */
  readonly bareNames: ReadonlyMap<string, string>;
}

/** Checks the assertions of a step, those inside its block included. */
export function checkAssertions(
  flow: Flow,
  index: number,
  known: Known,
  report: Report,
): void {
  const step = flow.steps[index]!;
  const pointer = `/steps/${index}`;
  checkEvidence(step, pointer, known.kind, report);
  for (const [at, assertion] of (step.assert ?? []).entries()) {
    // A step extracts before it asserts, so its own variables are known.
    checkOne(assertion, `${pointer}/assert/${at}`, index, known, report);
  }
  for (const { pointer: at, value } of known.parts.of("assertion")) {
    checkOne(value, at, index - 1, known, report);
  }
}

/** Refuses assertions and extractions on what the step's response does not have. */
function checkEvidence(
  step: Step,
  pointer: string,
  kind: Kind | undefined,
  report: Report,
): void {
  const has = kind?.evidence?.(step.block);
  if (!has) return;
  const refuse = (at: string, subject: string) =>
    report({
      at: `${pointer}/${at}`,
      code: "no-evidence",
      message: has.body
        ? `a \`${step.kind}\` frame has no ${subject}: assert on its JSON with a path starting with $`
        : `this \`${step.kind}\` step receives nothing, so there is nothing to look at`,
    });
  for (const [at, { subject }] of (step.assert ?? []).entries()) {
    const { kind } = subject;
    if (kind === "variable" && has.body) continue;
    if (
      kind === "status"
        ? !has.status
        : kind === "header"
        ? !has.headers
        : !has.body
    ) {
      refuse(`assert/${at}`, kind);
    }
  }
  for (const [name, { from }] of Object.entries(step.extract ?? {})) {
    const there = from === "status"
      ? has.status
      : from === "header" || from === "cookie"
      ? has.headers
      : has.body;
    if (!there) refuse(child("extract", name), from);
  }
}

/** Checks the JSON paths of a step's extractions. */
export function checkExtractions(
  flow: Flow,
  index: number,
  names: KnownNames,
  report: Report,
): void {
  for (
    const [name, extraction] of Object.entries(flow.steps[index]!.extract ?? {})
  ) {
    const pointer = child(`/steps/${index}/extract`, name);
    if (RESERVED_NAMES.includes(name) || names.pools.has(name)) {
      report({
        at: pointer,
        code: "reserved-name",
        message: reservedName(name),
        hint: "choose another name",
      });
    }
    if (extraction.from === "body") {
      checkJsonPath(extraction.path, pointer, report);
    }
  }
}

/** @param until index of the last step whose variables are known */
function checkOne(
  assertion: Assertion,
  pointer: string,
  until: number,
  { names, bareNames, kind }: Known,
  report: Report,
): void {
  const { subject } = assertion;
  const word = bareNames.get(pointer);
  if (word !== undefined) {
    checkBareName(word, assertion.op, pointer, until + 1, names, report);
  }
  if (subject.kind === "body") checkJsonPath(subject.path, pointer, report);
  try {
    checkTypes(assertion, 0, 0, kind?.statusNames);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    report({
      at: pointer,
      code: error.code,
      message: error.message,
      hint: error.hint,
    });
  }
  if (subject.kind !== "variable") return;
  const [root = ""] = subject.name.split(".");
  const steps = names.extractedBy.get(root);
  if (steps && steps[0]! <= until) return;
  report({
    at: { pointer, inside: formatSubject(subject) },
    code: "unknown-variable",
    message: steps
      ? `\`${root}\` is not known here: it is extracted only later`
      : `\`${root}\` is not a variable: no step extracts it`,
    hint: hintFor(root, formatSubject(subject), names),
  });
}

function hintFor(root: string, written: string, names: KnownNames): string {
  if (names.pools.has(root)) {
    return `put the fixture value on the right: $.path == {{ ${written} }}`;
  }
  const near = nearest(written, [
    "status",
    "latency",
    ...names.extractedBy.keys(),
  ]);
  if (near && near !== root) return `did you mean \`${near}\`?`;
  return names.extractedBy.has(root)
    ? "move the step that extracts it up"
    : `for a value of the body write \`$.${written}\``;
}

function checkJsonPath(path: string, pointer: string, report: Report): void {
  try {
    checkPath(path);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { message, offset, hint } = error;
    report({
      at: pointer,
      code: "json-path",
      message: `${message} (column ${offset + 1} of \`${path}\`)`,
      hint,
    });
  }
}
