import { sortedStatuses } from "../../model/ir/flow.ts";
import type { SourceLocation } from "../../base/text/location.ts";
import { describe, type Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { scalarOf } from "../source/scalars.ts";
import { child } from "../../base/values/pointer.ts";

/**
 * Reads a list of status codes, each 100 to 599, in their one order; wrong ones
 * are left out.
 */
export function readStatuses(
  node: Node,
  what: string,
  pointer: string,
  reader: Reader,
): number[] {
  reader.place(pointer, node.at);
  if (node.kind !== "list") {
    reader.report({
      at: node.at,
      code: "wrong-type",
      message: `${what} must be a list of statuses, but it is ${
        describe(node)
      }`,
      hint: node.kind === "scalar" && /^\d+$/.test(node.text)
        ? `write [${node.text}]`
        : "for example [429, 503]",
    });
    return [];
  }
  const locations = new Map<number, SourceLocation>();
  for (const item of node.items) {
    const status = readStatus(item, what, reader);
    if (status !== undefined && !locations.has(status)) {
      locations.set(status, item.at);
    }
  }
  const statuses = sortedStatuses([...locations.keys()]);
  statuses.forEach((status, index) =>
    reader.place(child(pointer, index), locations.get(status)!)
  );
  return statuses;
}

function readStatus(
  item: Node,
  what: string,
  reader: Reader,
): number | undefined {
  const wanted = `each item of ${what} must be a status from 100 to 599`;
  const scalar = scalarOf(item, wanted, reader);
  if (!scalar) return undefined;
  const { value } = scalar;
  if (
    Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 599
  ) {
    return Number(value);
  }
  reader.report({
    at: item.at,
    code: typeof value === "number" ? "out-of-range" : "wrong-type",
    message: `${wanted}, but this is ${describe(item)}`,
    hint: typeof value === "string" && /^[1-5]\d\d$/.test(value)
      ? "remove the quotes"
      : undefined,
  });
  return undefined;
}
