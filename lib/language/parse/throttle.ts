import type { Throttle } from "../../model/ir/flow.ts";
import { type Form, STATUSES, SWITCH } from "../source/form.ts";
import { type KeyTable, readMapping } from "../source/mapping.ts";
import { mappingWith } from "../source/mapping_form.ts";
import type { Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { readBoolean } from "../source/scalars.ts";
import { child } from "../../base/values/pointer.ts";
import { readStatuses } from "./statuses.ts";

/** The keys of a `throttle` block. */
const THROTTLE_KEYS = {
  statuses: {
    doc: "statuses that mean rate limiting, besides 429",
    form: STATUSES,
  },
  as_error: {
    doc: "whether a throttle counts as a failure, in any mode",
    form: SWITCH,
  },
} as const satisfies KeyTable;

/** `throttle` to an editor. */
export const THROTTLE_FORM: Form = mappingWith(THROTTLE_KEYS);

/** Reads `throttle`; undefined when it says nothing. */
export function readThrottle(
  node: Node,
  pointer: string,
  reader: Reader,
): Throttle | undefined {
  reader.place(pointer, node.at);
  const fields = readMapping(node, THROTTLE_KEYS, "`throttle`", reader);
  const list = fields?.get("statuses");
  const flag = fields?.get("as_error");
  const statuses = list &&
    readStatuses(list.value, "`statuses`", child(pointer, "statuses"), reader);
  const as_error = flag && readBoolean(flag.value, "`as_error`", reader);
  if (!statuses?.length && as_error === undefined) return;
  return {
    ...(statuses?.length && { statuses }),
    ...(as_error !== undefined && { as_error }),
  };
}
