import {
  describeError,
  isDigit,
  walkJson,
} from "../../base/values/json_walk.ts";
import { isExact } from "../../base/values/numbers.ts";

/** A place in JSON text, 1-based. */
export interface JsonPlace {
  readonly line: number;
  readonly column: number;
}

/** JSON text that cannot be read strictly. */
export class JsonTextError extends SyntaxError {
  override readonly name = "JsonTextError";
  readonly place: JsonPlace;

  constructor(
    readonly code: string,
    message: string,
    text: string,
    offset: number,
    /** The number that is too long, as it is written. */
    readonly number?: string,
  ) {
    super(message);
    const before = text.slice(0, offset).split("\n");
    this.place = { line: before.length, column: before.at(-1)!.length + 1 };
  }
}

/** Lists and objects may lie this deep in one another. */
const MAX_DEPTH = 512;

/**
 * Checks JSON text (RFC 8259) more strictly than `JSON.parse`: names are unique
 * and nesting is bounded. The value itself is left to `JSON.parse`.
 *
 * @throws {JsonTextError} with line and column
 */
export function checkJsonText(text: string): void {
  const refuse = (code: string, message: string, at: number, long?: string) => {
    throw new JsonTextError(code, message, text, at, long);
  };
  const checkString = (start: number, end: number) => {
    if (isWellFormed(text.slice(start, end))) return;
    refuse("lone-surrogate", "this string has half a surrogate pair", start);
  };
  const names: Set<string>[] = [];
  const error = walkJson(text, {
    open(_kind, at) {
      if (names.length >= MAX_DEPTH) {
        const what = "lists and objects are nested more than";
        refuse("nesting-too-deep", `${what} ${MAX_DEPTH} levels deep`, at);
      }
      names.push(new Set());
    },
    close: () => void names.pop(),
    key(start, end) {
      checkString(start, end);
      const written = text.slice(start, end);
      const name = JSON.parse(written) as string;
      if (names.at(-1)!.has(name)) {
        refuse("duplicate-key", `duplicate key ${written}`, start);
      }
      names.at(-1)!.add(name);
    },
    scalar(start, end) {
      if (text[start] === '"') return checkString(start, end);
      const number = text.slice(start, end);
      if (!isDigit(number.charCodeAt(number.length - 1))) return;
      if (!isExact(number)) {
        refuse(
          "number-out-of-range",
          `the number ${number} is beyond what JSON numbers carry exactly`,
          start,
          number,
        );
      }
    },
  });
  if (!error) return;
  // What was found instead is not quoted: it may be a credential.
  refuse("json-syntax", describeError(text, error), error.offset);
}

function isWellFormed(written: string): boolean {
  return !/\\u|[\ud800-\udfff]/.test(written) ||
    (JSON.parse(written) as string).isWellFormed();
}
