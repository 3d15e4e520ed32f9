import { ifPossible } from "../base/values/if_possible.ts";

/** Finds the operation of a request among those of one method. */
export class PathIndex<Found> {
  readonly #plain = new Map<string, Found>();
  readonly #open: { readonly pattern: RegExp; readonly found: Found }[];

  /** @param paths with `{name}` where anything may stand */
  constructor(paths: readonly (readonly [path: string, found: Found])[]) {
    const open = [];
    for (const [path, found] of paths) {
      if (path.includes("{")) open.push({ path, found });
      else this.#plain.set(decoded(path), found);
    }
    // Of two that fit, the one that says more of the path.
    this.#open = open.toSorted((a, b) => literals(b.path) - literals(a.path))
      .map(({ path, found }) => ({ pattern: patternOf(path), found }));
  }

  /** @param path as it was sent, without a query */
  find(path: string): Found | undefined {
    const plain = decoded(path);
    return this.#plain.get(plain) ??
      this.#open.find(({ pattern }) => pattern.test(plain))?.found;
  }
}

/** Characters of a path that stand for themselves. */
function literals(path: string): number {
  return path.replaceAll(/\{[^}]*\}/g, "").length;
}

function patternOf(path: string): RegExp {
  // Parameters side by side are one, which keeps matching linear.
  const parts = path.split(/(?:\{[^}]*\})+/).map((part) =>
    RegExp.escape(decoded(part))
  );
  return new RegExp(`^${parts.join("[^/]+")}$`);
}

function decoded(path: string): string {
  if (!path.includes("%")) return path;
  // A slash in a value is no border of segments.
  const segments = path.replaceAll(/%2f/gi, "%252F").split("/");
  return ifPossible(() => segments.map(decodeURIComponent).join("/"), path);
}

/**
 * Whether a call may be one of this path, as far as it is written down.
 *
 * @param call a path with `{{ templates }}` in it
 */
export function mayBe(call: string, path: string): boolean {
  const [written, described] = [segments(call), segments(path)];
  return written.length === described.length &&
    written.every((each, index) =>
      each === described[index] || each.includes(OPEN) ||
      described[index]!.includes(OPEN)
    );
}

/** Stands for what is not known. */
const OPEN = "\0";

function segments(path: string): string[] {
  return path.replaceAll(/\{\{.*?\}\}|\{[^}]*\}/g, OPEN)
    .replace(/^[a-z]+:\/\/[^/]*/i, "").split("?", 1)[0]!.split("/");
}
