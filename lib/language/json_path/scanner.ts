import { type JsonNumber, readNumber } from "../../base/values/numbers.ts";
import {
  errorsOf,
  type ExpressionError,
} from "../../base/errors/bench_error.ts";

const badPath = errorsOf("json-path");

/** Brackets and parentheses inside one another; a stack has an end. */
const MAX_NESTING = 64;
/** RFC 9535 section 2.1: what every JSON implementation holds exactly. */
const MAX_INTEGER = Number.MAX_SAFE_INTEGER;

const BLANK = /[ \t\n\r]*/y;
const INTEGER = /-?[0-9]+/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const NAME =
  /[A-Za-z_\u0080-\ud7ff\ue000-\uffff]|[\ud800-\udbff][\udc00-\udfff]/;
/** RFC 9535 section 2.5.1.1. */
const SHORTHAND = new RegExp(
  `(?:${NAME.source})(?:[0-9]|${NAME.source})*`,
  "y",
);
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;

/** Whether a name can be written behind a dot. */
export function isShorthand(name: string): boolean {
  SHORTHAND.lastIndex = 0;
  return SHORTHAND.exec(name)?.[0] === name;
}

/** Reads the words of a JSONPath query, one after the other. */
export class PathScanner {
  #depth = 0;

  /** @param at where the query begins */
  constructor(readonly text: string, public at: number) {}

  /** The character that comes next; empty at the end. */
  get next(): string {
    const code = this.text.codePointAt(this.at);
    return code === undefined ? "" : String.fromCodePoint(code);
  }

  sees(token: string): boolean {
    return this.text.startsWith(token, this.at);
  }

  take(token: string): boolean {
    if (!this.sees(token)) return false;
    this.at += token.length;
    return true;
  }

  skipBlank(): void {
    this.#match(BLANK);
  }

  shorthand(): string | undefined {
    return this.#match(SHORTHAND);
  }

  word(): string | undefined {
    return this.#match(WORD);
  }

  /** RFC 9535 section 2.1.1: no leading zero, no `-0`. */
  integer(): number | undefined {
    const start = this.at;
    const digits = this.#match(INTEGER);
    if (digits === undefined) return undefined;
    if (/^(?:-0|0.)/.test(digits)) {
      const plain = String(Number(digits) + 0);
      throw this.error(
        `\`${digits}\` is not how the number ${plain} is written`,
        start,
        `write ${plain}`,
      );
    }
    const value = Number(digits);
    if (Math.abs(value) <= MAX_INTEGER) return value;
    throw this.error(
      `\`${digits}\` is beyond ${MAX_INTEGER}, the largest number it may hold`,
      start,
    );
  }

  number(): JsonNumber | undefined {
    const digits = this.#match(NUMBER);
    return digits === undefined ? undefined : readNumber(digits);
  }

  /** A string in quotes; undefined when none begins here. */
  quoted(): string | undefined {
    const quote = this.next;
    if (quote !== "'" && quote !== '"') return undefined;
    const start = this.at++;
    let value = "";
    for (;;) {
      const at = this.at;
      const char = this.next;
      this.at += char.length;
      if (char === quote) return value;
      if (char === "") throw this.error(`no closing ${quote}`, start);
      if (char === "\\") value += this.#escape(quote, at);
      else if (char < " ") {
        const code = char.charCodeAt(0).toString(16).padStart(4, "0");
        throw this.error(
          "a control character is not allowed in quotes",
          at,
          `write it as \\u${code}`,
        );
      } else if (!char.isWellFormed()) {
        throw this.error("half a surrogate pair is not a character", at);
      } else value += char;
    }
  }

  /** Runs `read` one level deeper. */
  nested<Result>(read: () => Result): Result {
    if (++this.#depth > MAX_NESTING) {
      throw this.error(`it nests at most ${MAX_NESTING} levels deep`);
    }
    const result = read();
    this.#depth--;
    return result;
  }

  error(message: string, at = this.at, hint?: string): ExpressionError {
    return badPath(`bad JSON path: ${message}`, at, hint);
  }

  /** The next character, as a message says it. */
  get found(): string {
    const { next } = this;
    if (next === "") return "the path ends";
    return next.trim() === "" ? "white space follows" : `\`${next}\` follows`;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  /** RFC 9535 section 2.3.1.1, behind the backslash. */
  #escape(quote: string, start: number): string {
    const char = this.next;
    this.at += char.length;
    if (char === quote) return char;
    if (char === "u") return this.#unicode(start);
    const means = ESCAPES[char];
    if (means !== undefined) return means;
    throw this.error(
      `\`\\${char}\` is not an escape`,
      start,
      char === "'" || char === '"'
        ? `${char} needs no backslash between ${quote}${quote}`
        : "escapes: \\b \\f \\n \\r \\t \\/ \\\\ \\uXXXX, and the quote itself",
    );
  }

  #unicode(start: number): string {
    const unit = this.#hexDigits(start);
    if ((unit & 0xf800) !== 0xd800) return String.fromCharCode(unit);
    if (unit < 0xdc00 && this.take("\\u")) {
      const pair = String.fromCharCode(unit, this.#hexDigits(start));
      if (pair.isWellFormed()) return pair;
    }
    throw this.error("half a surrogate pair is not a character", start);
  }

  #hexDigits(start: number): number {
    const digits = this.text.slice(this.at, this.at + 4);
    if (!/^[0-9A-Fa-f]{4}$/.test(digits)) {
      throw this.error("`\\u` needs four hexadecimal digits", start);
    }
    this.at += 4;
    return parseInt(digits, 16);
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  "/": "/",
  "\\": "\\",
};
