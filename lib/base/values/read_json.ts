import { type JsonValue, setMember } from "./json.ts";
import { readNumber } from "./numbers.ts";
import { describeError, isDigit, walkJson } from "./json_walk.ts";

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
