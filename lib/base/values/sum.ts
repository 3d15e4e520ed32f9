/** The sum of `pick` over all items. */
export function sum<Item>(
  items: readonly Item[],
  pick: (item: Item) => number,
): number {
  return items.reduce((total, each) => total + pick(each), 0);
}

/**
 * Records of numbers, added up field by field; one at least.
 *
 * @param fields all of them when absent
 */
export function sumFields<Field extends PropertyKey>(
  parts: readonly Readonly<Record<Field, number>>[],
  fields: readonly Field[] = Object.keys(parts[0]!) as Field[],
): Record<Field, number> {
  return Object.fromEntries(
    fields.map((field) => [field, sum(parts, (part) => part[field])]),
  ) as Record<Field, number>;
}
