import { checkText } from "../../language/expressions/check.ts";
import type { TracedStep } from "../../model/result/trace.ts";
import { protocols } from "../../steps/registry.ts";
import type { CompiledStep } from "./compiled_step.ts";

/** Reads a step's words for traces, once before the run. */
export function tracedStep(
  { step, extractions, poll }: CompiledStep,
): TracedStep {
  const protocol = protocols.get(step.kind);
  const { statusNames } = protocol ?? {};
  const checks = [
    ...extractions.map((
      { variable, source },
    ) => [`extract@${variable}`, source]),
    ...(step.assert ?? []).map((each, index) => [
      `assert@${index}`,
      checkText(each, statusNames),
    ]),
    ...(poll?.conditions ?? []).map((each, index) => [
      `until@${index}`,
      checkText(each, statusNames),
    ]),
  ];
  return {
    id: step.id,
    kind: step.kind,
    repeats: step.retry !== undefined || poll !== undefined,
    facts: protocol?.facts?.(step.block) ?? {},
    checks: Object.fromEntries(checks),
    ...(statusNames && {
      statuses: new Map([...statusNames].map(([name, code]) => [code, name])),
    }),
  };
}
