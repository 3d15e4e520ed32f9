import type { ExpressionError } from "../../base/errors/bench_error.ts";
import { ConditionReader } from "./condition_reader.ts";
import { PathScanner } from "./scanner.ts";
import type { Query, Segment, Selector } from "./syntax.ts";

/**
 * The JSON path that begins at `start` of a longer text, and where it ends: at
 * white space, a comparison or `closing`.
 *
 * @throws {ExpressionError} with the offset of the error in `text`
 */
export function pathIn(
  text: string,
  start: number,
  closing?: ")",
): { readonly query: Query; readonly end: number } {
  const { query, end } = readQuery(text, start);
  const next = text[end] ?? " ";
  if (/[\s=!<>~]/.test(next) || next === closing) return { query, end };
  throw unexpected(text, end);
}

/**
 * Reads the query that begins at `from`, as far as it goes.
 *
 * @returns the query, and where it ends
 * @throws {ExpressionError} with the offset of the error in `text`
 */
function readQuery(
  text: string,
  from = 0,
): { readonly query: Query; readonly end: number } {
  const reader = new PathReader(text, from);
  const query = reader.query("$");
  return { query, end: reader.at };
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

/** The error at text behind a path. */
function unexpected(text: string, end: number): ExpressionError {
  const scanner = new PathScanner(text, end);
  const [word] = text[end - 1] === "$"
    ? /^[A-Za-z_][\w.[\]-]*/.exec(text.slice(end)) ?? []
    : [];
  return scanner.error(
    scanner.next.trim() === ""
      ? "it does not end with white space"
      : `expected \`.\` or \`[\`, but ${scanner.found}`,
    end,
    scanner.next === "("
      ? "a path calls nothing: that a list has 3 items say `length($.items) == 3` (version 1), or `$.items[2] exists` and `$.items[3] not_exists`"
      : word && `did you mean \`$.${word}\`?`,
  );
}

class PathReader extends ConditionReader {
  query(root: "$" | "@"): Query {
    const begin = this.at;
    if (!this.take(root)) throw this.error("it has to start with `$`");
    const segments: Segment[] = [];
    for (;;) {
      const before = this.at;
      this.skipBlank();
      const segment = this.#segment(begin);
      if (!segment) {
        this.at = before;
        break;
      }
      segments.push(segment);
    }
    return { root, segments, singular: segments.every(isSingular) };
  }

  /** @param begin where the query begins */
  #segment(begin: number): Segment | undefined {
    const start = this.at;
    if (this.sees("[")) {
      return { descendant: false, selectors: this.#list() };
    }
    const descendant = this.take("..");
    if (!descendant && !this.take(".")) return undefined;
    if (descendant && this.sees("[")) {
      return { descendant, selectors: this.#list() };
    }
    if (this.take("*")) {
      return { descendant, selectors: [{ kind: "wildcard" }] };
    }
    return { descendant, selectors: [this.#shorthand(begin, start)] };
  }

  /** @param start where its dot is */
  #shorthand(begin: number, start: number): Selector {
    const at = this.at;
    const name = this.shorthand();
    if (name !== undefined && !this.sees("-")) return { kind: "name", name };
    this.at = at;
    const dots = this.text.slice(start, at);
    const [word = ""] = /^[\p{L}\p{N}_-]*/u.exec(this.text.slice(at)) ?? [];
    const before = this.text.slice(begin, start) +
      (dots === ".." ? dots : "");
    if (word === "") {
      throw this.error(
        `expected a name after \`${dots}\`, but ${this.found}`,
        at,
        dots === "." && this.sees("[") ? "leave out the dot" : undefined,
      );
    }
    const dash = word.indexOf("-");
    throw this.error(
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
    return this.nested(() => {
      const start = this.at++;
      const selectors: Selector[] = [];
      do {
        this.skipBlank();
        selectors.push(this.#selector());
        this.skipBlank();
      } while (this.take(","));
      if (this.take("]")) return selectors;
      throw this.next === ""
        ? this.error("no closing `]`", start)
        : this.error(`expected \`,\` or \`]\`, but ${this.found}`);
    });
  }

  #selector(): Selector {
    const name = this.quoted();
    if (name !== undefined) return { kind: "name", name };
    if (this.take("*")) return { kind: "wildcard" };
    if (this.take("?")) {
      this.skipBlank();
      return { kind: "filter", condition: this.condition() };
    }
    const start = this.integer();
    const afterStart = this.at;
    this.skipBlank();
    if (this.take(":")) return this.#slice(start);
    this.at = afterStart;
    if (start !== undefined) return { kind: "index", index: start };
    const at = this.at;
    const word = this.word();
    throw this.error(
      word === undefined
        ? `expected a name in quotes, an index, \`*\` or a filter, but ${this.found}`
        : `the name \`${word}\` has no quotes`,
      at,
      word !== undefined
        ? `write ['${word}']`
        : this.next === "@" || this.next === "$"
        ? "a filter begins with `?`"
        : undefined,
    );
  }

  /** `:` end `:` step, behind the first colon */
  #slice(start: number | undefined): Selector {
    this.skipBlank();
    const end = this.integer();
    this.skipBlank();
    let step: number | undefined;
    if (this.take(":")) {
      this.skipBlank();
      step = this.integer();
    }
    return { kind: "slice", start, end, step: step ?? 1 };
  }
}

function isSingular({ descendant, selectors }: Segment): boolean {
  const [first, second] = selectors;
  return !descendant && second === undefined &&
    (first?.kind === "name" || first?.kind === "index");
}
