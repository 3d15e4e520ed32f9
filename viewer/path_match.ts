/** A route that fits a path, with the parts it names. */
export interface Match<T> {
  readonly value: T;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Finds the route of a path. A named part is decoded once; one that then could
 * be a path of its own (a slash, a backslash, NUL, a leading dot) fits nothing.
 *
 * @param path as sent: not decoded, without a query
 */
export function matchPath<T>(
  routes: Readonly<Record<string, T>>,
  path: string,
): Match<T> | undefined {
  const parts = path.split("/");
  for (const [pattern, value] of Object.entries(routes)) {
    const params = fit(pattern.split("/"), parts);
    if (params) return { value, params };
  }
}

function fit(
  pattern: readonly string[],
  parts: readonly string[],
): Record<string, string> | undefined {
  if (pattern.length !== parts.length) return;
  const params: Record<string, string> = {};
  for (let i = 0; i < parts.length; i++) {
    const wanted = pattern[i]!;
    if (!wanted.startsWith(":")) {
      if (wanted !== parts[i]) return;
      continue;
    }
    const name = decoded(parts[i]!);
    if (name === undefined) return;
    params[wanted.slice(1)] = name;
  }
  return params;
}

function decoded(part: string): string | undefined {
  let name: string;
  try {
    name = decodeURIComponent(part);
  } catch {
    return;
  }
  // deno-lint-ignore no-control-regex
  return name === "" || name.startsWith(".") || /[/\\\u0000]/.test(name)
    ? undefined
    : name;
}
