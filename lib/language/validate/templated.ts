import { isTemplate } from "../expressions/operand.ts";
import type { Registry } from "../flow/registry.ts";
import type { Flow, Step } from "../ir.ts";
import { type Parts, stepParts } from "./parts.ts";
import { type PlacedString, stringsOf } from "./strings.ts";

/**
 * Every templated string of a step, with JSON Pointers into the flow.
 *
 * @param pointer of the step
 */
export function* templatedStrings(
  step: Step,
  pointer: string,
  parts: Parts,
): Generator<PlacedString> {
  for (const { value, pointer: at } of parts.of("template")) {
    yield* stringsOf(value, at);
  }
  for (const [at, { value }] of (step.assert ?? []).entries()) {
    if (isTemplate(value)) {
      yield {
        pointer: `${pointer}/assert/${at}`,
        text: value,
        extracted: true,
      };
    }
  }
  for (const { value: { value }, pointer: at } of parts.of("assertion")) {
    if (isTemplate(value)) yield { pointer: at, text: value };
  }
}

/** Every templated string of a valid flow. */
export function* flowStrings(
  flow: Flow,
  registry: Registry,
): Generator<PlacedString> {
  for (const [index, step] of flow.steps.entries()) {
    const pointer = `/steps/${index}`;
    yield* templatedStrings(step, pointer, stepParts(step, pointer, registry));
  }
}
