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
import type { Least } from "../fields/list.ts";
import { DEFINED } from "../fields/templates.ts";
import type { Value } from "../fields/value.ts";
import type { Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";

interface Options {
  /** Names that may be used for a status. */
  readonly statuses?: StatusNames | undefined;
  readonly least?: Least;
  readonly orOne?: true;
  /** Whether an item may be one; reports when it may not. */
  check?(node: Node, reader: Reader): boolean;
}

/** A list of assertions. */
export function assertions(
  { statuses, ...options }: Options = {},
): Value<Assertion[]> {
  return expressions({
    noun: "an assertion",
    example: "status == 200",
    parse: (text) => parseAssertion(text, statuses),
    schema: assertionSchema,
    form: DEFINED.assertion,
    part: (value, pointer) => ({ role: "assertion", pointer, value }),
    note(assertion, node, pointer, reader) {
      const name = bareName(node.text, assertion);
      if (name === undefined) return;
      const at = reader.inside(node, node.text.lastIndexOf(name), name.length);
      reader.bareNames.set(pointer, name);
      reader.locate(`${pointer}/value`, at);
    },
  }, options);
}
