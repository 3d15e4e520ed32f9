import type { JsonValue } from "../../base/values/json.ts";
import { typedValue } from "../../language/expressions/mismatch.ts";
import {
  type Failure,
  failureBy,
  type TypedValue,
} from "../../model/result/failure.ts";
import type { CheckResult } from "../../model/result/iteration.ts";
import { serviceTime, type StepResponse } from "../../model/result/response.ts";
import type {
  CheckSet,
  CompiledAssertion,
  CompiledExtraction,
} from "./compiled_step.ts";
import type { VirtualUser } from "./vu.ts";

/**
 * Extracts, then asserts. Every one of them runs, also on a throttled response,
 * so that a report shows all that is wrong with it.
 *
 * Reading the clock costs as much as a check: only checks of a trace that is
 * certainly kept are timed. Where all hold, the others share the set's `held`.
 */
export function runChecks(
  { extractions, assertions, held, search }: CheckSet,
  response: StepResponse,
  vu: VirtualUser,
): readonly CheckResult[] {
  if (held.length === 0) return held;
  const latency = serviceTime(response.marks);
  const timed = vu.keepsResponses;
  let results = timed ? held.slice() : held;
  for (let index = 0; index < held.length; index++) {
    const startedAt = timed ? vu.now() : NaN;
    const check = extractions[index] ??
      assertions[index - extractions.length]!;
    const failure = failureOf(check, search, response, latency, vu);
    if (!failure && !timed) continue;
    if (results === held) results = held.slice();
    const times = { startedAt, endedAt: timed ? vu.now() : NaN };
    const named = { kind: held[index]!.kind, name: held[index]!.name };
    (results as CheckResult[])[index] = failure
      ? { ...named, ...times, failure }
      : { ...named, ...times, actual: seenBy(check, response, latency, vu) };
  }
  return results;
}

/** The value that a check that holds looked at. */
function seenBy(
  check: CompiledExtraction | CompiledAssertion,
  response: StepResponse,
  latency: number,
  vu: VirtualUser,
): TypedValue {
  return "find" in check
    ? typedValue(vu.scope.variables[check.index])
    : check.read(response, latency, vu.scope);
}

/** Why a check does not hold; what breaks on the response does not either. */
function failureOf(
  check: CompiledExtraction | CompiledAssertion,
  search: CheckSet["search"],
  response: StepResponse,
  latency: number,
  vu: VirtualUser,
): Failure | undefined {
  const { pointer, needsBody } = check;
  const unreadable = needsBody && !(search && response.searched?.(search))
    ? response.bodyFailure
    : undefined;
  if (unreadable) return { ...unreadable, pointer };
  try {
    return "find" in check
      ? extract(check, response, vu)
      : assert(check, response, latency, vu);
  } catch (error) {
    return { ...failureBy(error), pointer };
  }
}

/** A failed extraction leaves the variable without a value. */
function extract(
  check: CompiledExtraction,
  response: StepResponse,
  vu: VirtualUser,
): Failure | undefined {
  const { variable, index, pointer, find, fallback, secrets } = check;
  const found = find(response);
  const value = found ?? fallback ?? found;
  vu.scope.variables[index] = value ?? undefined;
  if (value !== undefined && value !== null) {
    if (secrets) vu.keepSecret(secrets);
    return undefined;
  }
  const { says, ...typed } = notFound(check, value, response);
  const message = `cannot extract \`${variable}\`: ${says}`;
  return { code: "extraction", message, pointer, ...typed };
}

/** Why an extraction has no value: its source is missing, or its pattern does not fit. */
function notFound(
  { source, part, why }: CompiledExtraction,
  value: JsonValue | undefined,
  response: StepResponse,
): { says: string; expected: TypedValue; actual: TypedValue } {
  const text = part ? part.text(response) : value;
  if (!part || text === undefined || text === null) {
    const is = text === null ? "is null" : `does not exist${why(response)}`;
    return {
      says: `${part?.source ?? source} ${is}`,
      expected: { type: "anything", text: "" },
      actual: typedValue(text),
    };
  }
  const { group, pattern } = part;
  return {
    says: part.matches(text)
      ? `${part.source} matches ${pattern}, but group ${group} has no part in it`
      : `${part.source} does not match ${pattern}${why(response)}`,
    expected: { type: "matches string", text: pattern },
    actual: typedValue(text),
  };
}

function assert(
  { pointer, check }: CompiledAssertion,
  response: StepResponse,
  latency: number,
  vu: VirtualUser,
): Failure | undefined {
  const mismatch = check(response, latency, vu.scope);
  if (!mismatch) return undefined;
  const { unresolved, ...facts } = mismatch;
  return { code: unresolved ? "resolution" : "assertion", pointer, ...facts };
}
