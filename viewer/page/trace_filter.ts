/** What of an address does not choose traces. */
const ELSE = new Set(["cursor", "limit", "at", "find", "trace", "span"]);

/** What a list of traces is filtered by, and its order; for all of its pages. */
export function listFilter({ searchParams }: URL): URLSearchParams {
  return new URLSearchParams(
    [...searchParams].filter(([name, value]) =>
      value !== "" && !ELSE.has(name)
    ),
  );
}

/** The same without the order, for what has an order of its own. */
export function traceFilter(url: URL): URLSearchParams {
  const filter = listFilter(url);
  filter.delete("sort");
  return filter;
}
