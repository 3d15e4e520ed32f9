/** JSON that is written while it is made: the items of a list, bit by bit. */
interface JsonList {
  readonly name: string;
  readonly items: Iterable<unknown> | AsyncIterable<unknown>;
}

/**
 * An object with `head` and then each list, a line for every item, so that
 * nothing but one item is in memory.
 *
 * @param tail fields that are only known when the lists have been written
 */
export async function* jsonObject(
  head: Readonly<Record<string, unknown>>,
  lists: readonly JsonList[],
  tail: () => Readonly<Record<string, unknown>> = () => ({}),
): AsyncGenerator<string> {
  let text = "{";
  for (const [name, value] of Object.entries(head)) {
    text += `${text === "{" ? "" : ","}${field(name, value)}`;
  }
  for (const { name, items } of lists) {
    yield `${text}${text === "{" ? "" : ","}${JSON.stringify(name)}:[`;
    let first = true;
    for await (const item of items) {
      yield `${first ? "\n" : ",\n"}${JSON.stringify(item)}`;
      first = false;
    }
    text = "\n]";
  }
  for (const [name, value] of Object.entries(tail())) {
    text += `,${field(name, value)}`;
  }
  yield `${text}}`;
}

function field(name: string, value: unknown): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}
