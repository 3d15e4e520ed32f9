import { parseAssertion, type StatusNames } from "../expressions/assertion.ts";
import type { Assertion } from "../../model/ir/flow.ts";
import { child } from "../../base/values/pointer.ts";
import { readExpressions } from "./expressions.ts";
import type { Node } from "./node.ts";
import type { Reader } from "./reader.ts";

/**
 * Reads a list of assertions (`assert`, `until`), placing each at
 * `pointer/<index>`. Reports every mistake in every assertion.
 *
 * @param statuses names that may be used for a status
 */
export function readAssertions(
  node: Node,
  what: string,
  pointer: string,
  reader: Reader,
  statuses?: StatusNames,
): Assertion[] {
  reader.place(pointer, node.span);
  const form = {
    noun: "an assertion",
    example: "status == 200",
    parse: (text: string) => parseAssertion(text, statuses),
  };
  return readExpressions(node, what, form, reader).map(
    ({ parsed, node: item }, index) => {
      reader.place(child(pointer, index), item.span);
      return parsed;
    },
  );
}
