/** What `pick` gives of each item, added up. */
export function sum<Item>(
  items: readonly Item[],
  pick: (item: Item) => number,
): number {
  return items.reduce((total, each) => total + pick(each), 0);
}
