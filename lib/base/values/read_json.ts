import type { Diagnostic } from "../text/diagnostic.ts";
import { type JsonValue, setMember } from "./json.ts";
import {
  describeError,
  isDigit,
  type JsonVisitor,
  walkJson,
} from "./json_walk.ts";
import { isExact, readNumber } from "./numbers.ts";

/** A shorter integer is below 2^53. */
const LONG = 16;

/**
 * `JSON.parse` that keeps the digits of integers: one beyond 2^53 is a bigint.
 * Costs nothing where the text has no such integer.
 *
 * @throws {SyntaxError} when `text` is not JSON
 */
export function readJson(text: string): JsonValue {
  return hasLongInteger(text)
    ? readExactly(text)
    : JSON.parse(text) as JsonValue;
}

/**
 * Whether a JSON text has an integer beyond 2^53; also true, if hardly ever, for
 * such digits inside a string.
 *
 * Looks at one character of 16: a run of 16 digits cannot hide between two.
 */
export function hasLongInteger(text: string): boolean {
  for (let at = LONG - 1; at < text.length; at += LONG) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let start = at;
    while (isDigit(text.charCodeAt(start - 1))) start--;
    while (isDigit(text.charCodeAt(at + 1))) at++;
    if (at + 1 - start >= LONG && isLongInteger(text, start, at + 1)) {
      return true;
    }
  }
  return false;
}

const [QUOTE, POINT, NINE] = [0x22, 0x2e, 0x39];

/** Whether these digits are a value, of which a double has others. */
function isLongInteger(text: string, start: number, end: number): boolean {
  // A string of digits, the fraction of a number, a time in microseconds.
  const before = text.charCodeAt(start - 1);
  if (before === QUOTE || before === POINT) return false;
  if (end - start === LONG && text.charCodeAt(start) < NINE) return false;
  return /[\s,:[-]/.test(text[start - 1] ?? ",") &&
    /[\s,\]}]/.test(text[end] ?? ",") &&
    !Number.isSafeInteger(Number(text.slice(start, end)));
}

type Container = JsonValue[] | Record<string, JsonValue>;

function readExactly(text: string): JsonValue {
  const open: Container[] = [];
  let root: JsonValue = null;
  let name = "";
  const put = (value: JsonValue) => {
    const inside = open.at(-1);
    if (!inside) root = value;
    else if (Array.isArray(inside)) inside.push(value);
    else setMember(inside, name, value);
  };
  const error = walkJson(text, {
    open(kind) {
      const made: Container = kind === "[" ? [] : {};
      put(made);
      open.push(made);
    },
    close: () => void open.pop(),
    key(start, end) {
      name = JSON.parse(text.slice(start, end)) as string;
    },
    scalar(start, end) {
      const written = text.slice(start, end);
      const digits = isDigit(written.charCodeAt(written.length - 1));
      put(digits ? readNumber(written) : JSON.parse(written) as JsonValue);
    },
  });
  if (!error) return root;
  throw new SyntaxError(describeError(text, error));
}

/** Why JSON text cannot be read strictly; at a UTF-16 offset. */
export interface JsonError extends Diagnostic<number> {
  /** The number that is too long, as it is written. */
  readonly number?: string;
}

/** Lists and objects may lie this deep in one another. */
const MAX_DEPTH = 512;

/**
 * Checks JSON text (RFC 8259) more strictly than `JSON.parse`: names are unique,
 * nesting is bounded, and canonical JSON has all digits of every number. The value
 * itself is left to `JSON.parse`.
 *
 * @param keepsIntegers it is left to `readJson`, which loses no digit of an integer
 */
export function jsonError(
  text: string,
  { keepsIntegers = false }: { readonly keepsIntegers?: boolean } = {},
): JsonError | undefined {
  const check = new StrictCheck(text, keepsIntegers);
  const error = walkJson(text, check);
  // The first error of a text is the one that is reported, whatever follows it.
  if (check.error || !error) return check.error;
  // What was found instead is not quoted: it may be a credential.
  const message = describeError(text, error);
  return { at: error.offset, code: "json-syntax", message };
}

class StrictCheck implements JsonVisitor {
  error: JsonError | undefined;
  readonly #names: Set<string>[] = [];

  constructor(readonly text: string, readonly keepsIntegers: boolean) {}

  open(_kind: string, at: number): void {
    if (this.#names.length >= MAX_DEPTH) {
      const what = "lists and objects are nested more than";
      this.#refuse(at, "nesting-too-deep", `${what} ${MAX_DEPTH} levels deep`);
    }
    this.#names.push(new Set());
  }

  close(): void {
    this.#names.pop();
  }

  key(start: number, end: number): void {
    this.#string(start, end);
    const written = this.text.slice(start, end);
    const name = JSON.parse(written) as string;
    const names = this.#names.at(-1)!;
    if (names.has(name)) {
      this.#refuse(start, "duplicate-key", `duplicate key ${written}`);
    }
    names.add(name);
  }

  scalar(start: number, end: number): void {
    if (this.text[start] === '"') return this.#string(start, end);
    const number = this.text.slice(start, end);
    if (!isDigit(number.charCodeAt(number.length - 1)) || isExact(number)) {
      return;
    }
    if (this.keepsIntegers && typeof readNumber(number) === "bigint") return;
    const message =
      `the number ${number} is beyond what JSON numbers carry exactly`;
    this.#refuse(start, "number-out-of-range", message, number);
  }

  #string(start: number, end: number): void {
    if (isWellFormed(this.text.slice(start, end))) return;
    const message = "this string has half a surrogate pair";
    this.#refuse(start, "lone-surrogate", message);
  }

  #refuse(at: number, code: string, message: string, number?: string): void {
    this.error ??= {
      at,
      code,
      message,
      ...(number !== undefined && { number }),
    };
  }
}

function isWellFormed(written: string): boolean {
  return !/\\u|[\ud800-\udfff]/.test(written) ||
    (JSON.parse(written) as string).isWellFormed();
}
