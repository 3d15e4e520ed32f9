import * as v from "valibot";
import { child } from "../../base/values/pointer.ts";
import { itemSlot, itemsOf, type Least, listForm } from "../fields/list.ts";
import { integer } from "../fields/scalars.ts";
import type { Value } from "../fields/value.ts";

const status = integer({ min: 100, max: 599, noun: "a status" });

/** A list of statuses says which, so equal ones are equal text. */
function sorted(statuses: Iterable<number>): number[] {
  return [...new Set(statuses)].sort((a, b) => a - b);
}

/** A list of status codes in their one order; wrong ones are left out. */
export function statuses(least?: Least): Value<number[]> {
  const options = {
    of: "statuses",
    example: "[429, 503]",
    ...(least && { least }),
  };
  const array = v.pipe(v.array(status.schema), v.minLength(least ? 1 : 0));
  return {
    schema: v.pipe(array, v.transform((list: number[]) => sorted(list))),
    form: listForm(status.form, options),
    inside: { item: status },
    emptyIsAbsent: true,
    read(node, slot, reader) {
      const found = new Map<number, (typeof node)["at"]>();
      for (const item of itemsOf(node, slot, options, reader) ?? []) {
        const read = status.read(item, itemSlot(slot, 0), reader);
        if (read !== undefined && !found.has(read)) found.set(read, item.at);
      }
      const all = sorted(found.keys());
      for (const [index, each] of all.entries()) {
        reader.locate(child(slot.pointer, index), found.get(each)!);
      }
      return all.length === 0 && least ? undefined : all;
    },
  };
}
