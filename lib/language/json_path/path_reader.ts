import type { ExpressionError } from "../../base/errors/expression_error.ts";
import { ConditionReader } from "./condition_reader.ts";
import { PathScanner } from "./scanner.ts";
import type { Query, Segment, Selector } from "./syntax.ts";

/**
 * Reads the query that begins at `from`, as far as it goes.
 *
 * @returns the query, and where it ends
 * @throws {ExpressionError} with the offset of the error in `text`
 */
export function readQuery(
  text: string,
  from = 0,
): { readonly query: Query; readonly end: number } {
  const reader = new PathReader(new PathScanner(text, from));
  const query = reader.query("$");
  return { query, end: reader.scanner.at };
}

/**
 * Reads a text that is a query and nothing else.
 *
 * @throws {ExpressionError} with the offset of the error
 */
export function parseQuery(text: string): Query {
  const { query, end } = readQuery(text);
  if (end < text.length) throw unexpected(text, end);
  return query;
}

/** What stands behind a path is no part of it. */
export function unexpected(text: string, end: number): ExpressionError {
  const scanner = new PathScanner(text, end);
  return scanner.error(
    scanner.next.trim() === ""
      ? "it does not end with white space"
      : `expected \`.\` or \`[\`, but ${scanner.found}`,
  );
}

class PathReader {
  readonly #conditions: ConditionReader;

  constructor(readonly scanner: PathScanner) {
    this.#conditions = new ConditionReader(
      scanner,
      (root) => this.query(root),
    );
  }

  query(root: "$" | "@"): Query {
    const { scanner } = this;
    const begin = scanner.at;
    if (!scanner.take(root)) throw scanner.error("it has to start with `$`");
    const segments: Segment[] = [];
    for (;;) {
      const before = scanner.at;
      scanner.skipBlank();
      const segment = this.#segment(begin);
      if (!segment) {
        scanner.at = before;
        break;
      }
      segments.push(segment);
    }
    return { root, segments, singular: segments.every(isSingular) };
  }

  /** @param begin where the query begins */
  #segment(begin: number): Segment | undefined {
    const { scanner } = this;
    const start = scanner.at;
    if (scanner.sees("[")) {
      return { descendant: false, selectors: this.#list() };
    }
    const descendant = scanner.take("..");
    if (!descendant && !scanner.take(".")) return undefined;
    if (descendant && scanner.sees("[")) {
      return { descendant, selectors: this.#list() };
    }
    if (scanner.take("*")) {
      return { descendant, selectors: [{ kind: "wildcard" }] };
    }
    return { descendant, selectors: [this.#shorthand(begin, start)] };
  }

  /** @param start where its dot is */
  #shorthand(begin: number, start: number): Selector {
    const { scanner } = this;
    const at = scanner.at;
    const name = scanner.shorthand();
    if (name !== undefined && !scanner.sees("-")) return { kind: "name", name };
    scanner.at = at;
    const dots = scanner.text.slice(start, at);
    const [word = ""] = /^[\p{L}\p{N}_-]*/u.exec(scanner.text.slice(at)) ?? [];
    const before = scanner.text.slice(begin, start) +
      (dots === ".." ? dots : "");
    if (word === "") {
      throw scanner.error(
        `expected a name after \`${dots}\`, but ${scanner.found}`,
        at,
        dots === "." && scanner.sees("[") ? "leave out the dot" : undefined,
      );
    }
    const dash = word.indexOf("-");
    throw scanner.error(
      name === undefined
        ? `a name after a dot does not begin with \`${word[0]}\``
        : "a name after a dot cannot hold `-`",
      name === undefined ? at : at + dash,
      /^(?:0|-?[1-9][0-9]*)$/.test(word)
        ? `an item of a list is \`${before}[${word}]\`, a name \`${before}['${word}']\``
        : `write \`${before}['${word}']\``,
    );
  }

  /** `[` selectors `]` */
  #list(): Selector[] {
    const { scanner } = this;
    return scanner.nested(() => {
      const start = scanner.at++;
      const selectors: Selector[] = [];
      do {
        scanner.skipBlank();
        selectors.push(this.#selector());
        scanner.skipBlank();
      } while (scanner.take(","));
      if (scanner.take("]")) return selectors;
      throw scanner.next === ""
        ? scanner.error("no closing `]`", start)
        : scanner.error(`expected \`,\` or \`]\`, but ${scanner.found}`);
    });
  }

  #selector(): Selector {
    const { scanner } = this;
    const name = scanner.quoted();
    if (name !== undefined) return { kind: "name", name };
    if (scanner.take("*")) return { kind: "wildcard" };
    if (scanner.take("?")) {
      scanner.skipBlank();
      return { kind: "filter", condition: this.#conditions.read() };
    }
    const start = scanner.integer();
    const afterStart = scanner.at;
    scanner.skipBlank();
    if (scanner.take(":")) return this.#slice(start);
    scanner.at = afterStart;
    if (start !== undefined) return { kind: "index", index: start };
    const at = scanner.at;
    const word = scanner.word();
    throw scanner.error(
      word === undefined
        ? `expected a name in quotes, an index, \`*\` or a filter, but ${scanner.found}`
        : `the name \`${word}\` has no quotes`,
      at,
      word !== undefined
        ? `write ['${word}']`
        : scanner.next === "@" || scanner.next === "$"
        ? "a filter begins with `?`"
        : undefined,
    );
  }

  /** `:` end `:` step, behind the first colon */
  #slice(start: number | undefined): Selector {
    const { scanner } = this;
    scanner.skipBlank();
    const end = scanner.integer();
    scanner.skipBlank();
    let step: number | undefined;
    if (scanner.take(":")) {
      scanner.skipBlank();
      step = scanner.integer();
    }
    return { kind: "slice", start, end, step: step ?? 1 };
  }
}

function isSingular({ descendant, selectors }: Segment): boolean {
  const [first, second] = selectors;
  return !descendant && second === undefined &&
    (first?.kind === "name" || first?.kind === "index");
}
