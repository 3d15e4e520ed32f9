import { schemes } from "../../steps/auth/registry.ts";
import { isTemplate } from "../expressions/operand.ts";
import type { Step } from "../../model/ir/flow.ts";
import { protocols } from "../../steps/registry.ts";
import { child } from "../../base/values/pointer.ts";
import { type PlacedString, stringsOf } from "./strings.ts";

/**
 * Every templated string of a step, with JSON Pointers into the flow. The
 * step's block and auth must have passed their schemas.
 *
 * @param pointer of the step
 */
export function* templatedStrings(
  step: Step,
  pointer: string,
): Generator<PlacedString> {
  const fields = protocols.get(step.kind)?.templates(step.block) ?? [];
  for (const field of fields) {
    yield* stringsOf(field.value, `${pointer}/block${field.pointer}`);
  }
  if (step.auth) yield* authStrings(step.auth, `${pointer}/auth`);
  for (const [at, { value }] of (step.assert ?? []).entries()) {
    if (isTemplate(value)) {
      yield {
        pointer: `${pointer}/assert/${at}`,
        text: value,
        extracted: true,
      };
    }
  }
  const inner = protocols.get(step.kind)?.assertions?.(step.block) ?? [];
  for (const { pointer: below, assertion: { value } } of inner) {
    if (isTemplate(value)) {
      yield { pointer: `${pointer}/block${below}`, text: value };
    }
  }
}

function* authStrings(
  auth: NonNullable<Step["auth"]>,
  pointer: string,
): Generator<PlacedString> {
  for (const key of schemes.get(String(auth.scheme))?.templated ?? []) {
    const value = auth[key];
    if (value !== undefined) yield* stringsOf(value, child(pointer, key));
  }
}
