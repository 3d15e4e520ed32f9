import {
  bareName,
  parseAssertion,
  type StatusNames,
} from "../expressions/assertion.ts";
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
  reader.place(pointer, node.at);
  const form = {
    noun: "an assertion",
    example: "status == 200",
    parse(text: string) {
      const assertion = parseAssertion(text, statuses);
      return { assertion, name: bareName(text, assertion) };
    },
  };
  return readExpressions(node, what, form, reader).map(
    ({ parsed: { assertion, name }, node: item }, index) => {
      const at = child(pointer, index);
      reader.place(at, item.at);
      if (name !== undefined && item.kind === "scalar") {
        reader.bareNames.set(at, name);
        const offset = item.text.lastIndexOf(name);
        reader.place(
          `${at}/value`,
          reader.inside(item, offset, name.length),
        );
      }
      return assertion;
    },
  );
}
