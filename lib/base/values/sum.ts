/** The sum of `pick` over all items. */
export function sum<Item>(
  items: readonly Item[],
  pick: (item: Item) => number,
): number {
  return items.reduce((total, each) => total + pick(each), 0);
}

/** Records of numbers, added up field by field; one at least. */
export function sumFields<Counts extends { [Key in keyof Counts]: number }>(
  parts: readonly Counts[],
): Counts {
  const keys = Object.keys(parts[0]!) as (keyof Counts)[];
  return Object.fromEntries(
    keys.map((key) => [key, sum(parts, (part) => part[key])]),
  ) as Counts;
}
