import { checkText } from "../../language/expressions/mismatch.ts";
import type { Assertion } from "../../language/ir.ts";
import type { TracedStep } from "../../model/result/trace.ts";
import { protocols } from "../../steps/registry.ts";
import type { CompiledStep } from "./compiled_step.ts";

/** Reads a step's words for traces, once before the run. */
export function tracedStep(
  { step, pointer, extractions, poll, contract }: CompiledStep,
): TracedStep {
  const protocol = protocols.get(step.kind);
  const { statusNames } = protocol ?? {};
  const byIndex = (checks: readonly Assertion[] = []) =>
    new Map(checks.map((each, index) => [
      String(index),
      checkText(each, statusNames),
    ]));
  return {
    id: step.id,
    kind: step.kind,
    pointer,
    repeats: step.retry !== undefined || poll !== undefined,
    facts: protocol?.facts?.(step.block) ?? {},
    checks: {
      extract: new Map(
        extractions.map(({ variable, source }) => [variable, source]),
      ),
      assert: byIndex(step.assert),
      contract: new Map(contract ? [["0", "contract"]] : []),
      until: byIndex(poll?.conditions),
    },
    ...(statusNames && {
      statuses: new Map([...statusNames].map(([name, code]) => [code, name])),
    }),
  };
}
