import {
  bareName,
  parseAssertion,
  type StatusNames,
} from "../expressions/assertion.ts";
import {
  type Assertion,
  assertionSchema,
} from "../expressions/assertion_ir.ts";
import { expressions } from "../fields/expressions.ts";
import { DEFINED } from "../fields/templates.ts";
import type { Value } from "../fields/value.ts";

/**
 * A list of assertions.
 *
 * @param statuses names that may be used for a status
 */
export function assertions(
  options: Parameters<typeof expressions>[1] = {},
  statuses?: StatusNames,
): Value<Assertion[]> {
  return expressions({
    noun: "an assertion",
    example: "status == 200",
    parse: (text) => parseAssertion(text, statuses),
    schema: assertionSchema,
    form: DEFINED.assertion,
    *parts(value, pointer) {
      yield { role: "assertion", pointer, value };
    },
    note(assertion, { text }, slot) {
      const name = bareName(text, assertion);
      if (name === undefined) return;
      const at = slot.inside(text.lastIndexOf(name), name.length);
      slot.reader.bareNames.set(slot.pointer, name);
      slot.reader.locate(`${slot.pointer}/value`, at);
    },
  }, options);
}
