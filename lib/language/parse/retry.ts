import { BACKOFFS, type Retry } from "../../model/ir/flow.ts";
import {
  DURATION,
  type Form,
  oneWord,
  STATUSES,
  wholeNumber,
} from "../source/form.ts";
import { type KeyTable, readMapping } from "../source/mapping.ts";
import { mappingWith } from "../source/mapping_form.ts";
import type { Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { readChoice, readDuration, readInteger } from "../source/scalars.ts";
import { child } from "../../base/values/pointer.ts";
import { readStatuses } from "./statuses.ts";

/** The keys of a `retry` block. */
const RETRY_KEYS = {
  on_status: {
    required: true,
    doc: "statuses that are tried again",
    form: { ...STATUSES, minItems: 1 },
  },
  backoff: {
    required: true,
    doc: BACKOFFS.join(", "),
    form: oneWord(BACKOFFS),
  },
  max_attempts: {
    required: true,
    doc: "tries in all, the first included",
    form: wholeNumber(1),
  },
  base_delay: {
    doc: "wait before the second try; 100ms by default",
    form: DURATION,
  },
} as const satisfies KeyTable;

/** `retry` to an editor. */
export const RETRY_FORM: Form = mappingWith(RETRY_KEYS);

const DEFAULT_BASE_DELAY_US = 100_000;

/** Reads `retry`; undefined when a part that has no default is not there. */
export function readRetry(
  node: Node,
  pointer: string,
  reader: Reader,
): Retry | undefined {
  reader.place(pointer, node.at);
  const fields = readMapping(node, RETRY_KEYS, "`retry`", reader);
  if (!fields) return;
  const [statuses, backoffs] = [fields.get("on_status"), fields.get("backoff")];
  const [attempts, delay] = [
    fields.get("max_attempts"),
    fields.get("base_delay"),
  ];
  const on_status = statuses &&
    readStatuses(
      statuses.value,
      "`on_status`",
      child(pointer, "on_status"),
      reader,
    );
  if (
    statuses && on_status?.length === 0 && statuses.value.kind === "list" &&
    statuses.value.items.length === 0
  ) {
    reader.report({
      at: statuses.value.at,
      code: "no-statuses",
      message: "`on_status` needs at least one status",
      hint: "for example [503]",
    });
  }
  const backoff = backoffs &&
    readChoice(backoffs.value, "`backoff`", BACKOFFS, reader);
  const max_attempts = attempts &&
    readInteger(attempts.value, "`max_attempts`", 1, reader);
  const base_delay_us = delay
    ? readDuration(delay.value, "`base_delay`", reader)
    : DEFAULT_BASE_DELAY_US;
  if (!on_status || !backoff || !max_attempts || base_delay_us === undefined) {
    return;
  }
  return { on_status, backoff, max_attempts, base_delay_us };
}
