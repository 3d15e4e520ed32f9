import * as v from "valibot";
import { child } from "../../base/values/pointer.ts";
import { type Least, list } from "../fields/list.ts";
import { integer } from "../fields/scalars.ts";
import type { Value } from "../fields/value.ts";

const status = integer({ min: 100, max: 599, noun: "a status" });

/** A list of statuses says which, so equal ones are equal text. */
function sorted(statuses: number[]): number[] {
  return [...new Set(statuses)].sort((a, b) => a - b);
}

/** A list of status codes in their one order; wrong ones are left out. */
export function statuses(least?: Least): Value<number[]> {
  const written = list(status, {
    of: "statuses",
    example: "[429, 503]",
    ...(least && { least }),
  });
  return {
    ...written,
    schema: v.pipe(written.schema, v.transform(sorted)),
    read(slot) {
      const { pointer, reader } = slot;
      const read = written.read(slot);
      const at = read?.map((_, i) => reader.locations.get(child(pointer, i))!);
      const all = read && sorted(read);
      for (const [index, each] of all?.entries() ?? []) {
        reader.locate(child(pointer, index), at![read!.indexOf(each)]!);
      }
      return all;
    },
  };
}
