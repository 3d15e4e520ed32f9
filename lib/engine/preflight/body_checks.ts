import type { Report } from "../../base/text/diagnostic.ts";
import { child } from "../../base/values/json.ts";
import type { BlockFiles, BodyCheck } from "../../language/flow/registry.ts";
import type { Step } from "../../language/flow/step_form.ts";
import type { Protocol } from "../../steps/protocol.ts";
import type { ReadFlow } from "./prepared_run.ts";

interface CheckedStep {
  readonly protocol: Protocol;
  readonly step: Step;
  readonly pointer: string;
}

/**
 * Lets a protocol check what a step looks for in its response. A check that holds without
 * the value draws a warning.
 */
export async function checkBody(
  { protocol, step, pointer }: CheckedStep,
  files: BlockFiles,
  { isSound }: ReadFlow,
  report: Report,
): Promise<void> {
  if (!protocol.checkBody) return;
  for (const { at, isMet, ...check } of bodyChecks(step)) {
    if (!isSound(pointer + at)) continue;
    const error = await protocol.checkBody(step.block, files, check);
    if (!error) continue;
    const { of, ...said } = error;
    report({
      ...said,
      at: of === "path"
        ? { pointer: pointer + at, inside: check.path }
        : pointer + at,
      ...(isMet && { severity: "warning" }),
    });
  }
}

interface PlacedCheck extends BodyCheck {
  /** JSON Pointer below the step. */
  readonly at: string;
  /** A value that is not there passes it. */
  readonly isMet: boolean;
}

/** The checks of a step that look into the body. */
function bodyChecks({ assert = [], extract = {} }: Step): PlacedCheck[] {
  return [
    ...Object.entries(extract).flatMap(([name, each]) =>
      each.from === "body"
        ? [{
          at: child("/extract", name),
          path: each.path,
          isMet: each.default !== undefined,
        }]
        : []
    ),
    ...assert.flatMap(({ subject, op, value }, index) =>
      subject.kind === "body"
        ? [{
          at: `/assert/${index}`,
          path: subject.path,
          op,
          value,
          isMet: op === "!=" ? value !== null : op === "==" &&
            (value === null || (Array.isArray(value) && value.length === 0)),
        }]
        : []
    ),
  ];
}
