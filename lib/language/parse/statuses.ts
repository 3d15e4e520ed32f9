import { describe, type Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { scalarOf } from "../source/scalars.ts";
import { child } from "../../base/values/pointer.ts";

/** Reads a list of status codes, each 100 to 599; wrong ones are left out. */
export function readStatuses(
  node: Node,
  what: string,
  pointer: string,
  reader: Reader,
): number[] {
  reader.place(pointer, node.span);
  if (node.kind !== "list") {
    reader.report(
      node.span,
      "wrong-type",
      `${what} must be a list of statuses, but it is ${describe(node)}`,
      node.kind === "scalar" && /^\d+$/.test(node.text)
        ? `write [${node.text}]`
        : "for example [429, 503]",
    );
    return [];
  }
  return node.items.flatMap((item, index) => {
    reader.place(child(pointer, index), item.span);
    const wanted = `each item of ${what} must be a status from 100 to 599`;
    const scalar = scalarOf(item, wanted, reader);
    if (!scalar) return [];
    const { value } = scalar;
    if (
      Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599
    ) {
      return [Number(value)];
    }
    reader.report(
      item.span,
      typeof value === "number" ? "out-of-range" : "wrong-type",
      `${wanted}, but this is ${describe(item)}`,
      typeof value === "string" && /^[1-5]\d\d$/.test(value)
        ? "remove the quotes"
        : undefined,
    );
    return [];
  });
}
