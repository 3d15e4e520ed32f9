/** A route that fits a path, with the parts it names. */
interface Match<T> {
  readonly value: T;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a path, as sent: not decoded, without a query. */
type RouteTable<T> = (path: string) => Match<T> | undefined;

/**
 * Routes by their pattern: `/runs/:run`. A named part is decoded once; one that
 * then could be a path of its own (a slash, a backslash, NUL, a leading dot) fits
 * nothing.
 */
export function routeTable<T>(
  routes: Readonly<Record<string, T>>,
): RouteTable<T> {
  const compiled = Object.entries(routes).map(([pathname, value]) => ({
    pattern: new URLPattern({ pathname }),
    value,
  }));
  return (pathname) => {
    for (const { pattern, value } of compiled) {
      const groups = pattern.exec({ pathname })?.pathname.groups;
      const params = groups && decoded(groups);
      if (params) return { value, params };
    }
  };
}

function decoded(
  groups: Readonly<Record<string, string | undefined>>,
): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [name, part = ""] of Object.entries(groups)) {
    try {
      params[name] = decodeURIComponent(part);
    } catch {
      return;
    }
    // deno-lint-ignore no-control-regex
    if (/^\.|[/\\\u0000]/.test(params[name])) return;
  }
  return params;
}
