import type { CheckResult } from "../result/iteration.ts";
import type { Failure } from "../result/failure.ts";
import { type Reply, serviceTime } from "../result/reply.ts";
import type {
  CompiledAssertion,
  CompiledExtraction,
  CompiledStep,
} from "./compiled_step.ts";
import type { VirtualUser } from "./vu.ts";

const NONE: readonly CheckResult[] = [];

/**
 * Extracts, then asserts. Every one of them runs, also on a throttled answer,
 * so that a report shows all that is wrong with it.
 */
export function runChecks(
  step: CompiledStep,
  reply: Reply,
  vu: VirtualUser,
): readonly CheckResult[] {
  const { extractions, assertions } = step;
  if (extractions.length + assertions.length === 0) return NONE;
  const results: CheckResult[] = [];
  const latency = serviceTime(reply.marks);
  // Reading the clock costs as much as a check: only a trace that is surely
  // kept has its checks timed one by one.
  const now = vu.keepsReplies ? () => vu.now() : () => reply.marks.end;
  for (const extraction of extractions) {
    const startedAt = now();
    const failure = extract(extraction, reply, vu);
    results.push({
      kind: "extract",
      name: extraction.variable,
      startedAt,
      endedAt: now(),
      ...(failure && { failure }),
    });
  }
  for (const [index, assertion] of assertions.entries()) {
    const startedAt = now();
    const failure = assert(assertion, reply, latency, vu);
    results.push({
      kind: "assert",
      name: String(index),
      startedAt,
      endedAt: now(),
      ...(failure && { failure }),
    });
  }
  return results;
}

/** A failed extraction leaves the variable without a value. */
function extract(
  { variable, slot, pointer, source, find }: CompiledExtraction,
  reply: Reply,
  vu: VirtualUser,
): Failure | undefined {
  const value = find(reply);
  vu.scope.variables[slot] = value;
  if (value !== undefined) return undefined;
  return {
    code: "extraction",
    message: `cannot extract \`${variable}\`: ${source} does not exist${
      source.startsWith("$") && reply.json() === undefined
        ? " (the body is not JSON)"
        : ""
    }`,
    pointer,
    expected: { type: "anything", text: "" },
    actual: { type: "nothing", text: "" },
  };
}

function assert(
  { pointer, check }: CompiledAssertion,
  reply: Reply,
  latency: number,
  vu: VirtualUser,
): Failure | undefined {
  const mismatch = check(reply, latency, vu.scope);
  return mismatch && { code: "assertion", pointer, ...mismatch };
}
