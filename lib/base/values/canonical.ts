import { isObject, type JsonValue } from "./json.ts";
import { WorkLimitError } from "./work.ts";

/**
 * The RFC 8785 form of `value`: sorted keys, ECMAScript numbers, no white
 * space. Equal values give equal text.
 *
 * @param limit of the text's length, for what came from a target
 * @throws {Error} for NaN, infinities and lone surrogates, which JSON cannot say
 * @throws {WorkLimitError} beyond the limit
 */
export function canonical(value: JsonValue, limit = Infinity): string {
  if (typeof value !== "object") return strictLeaf(value);
  const { text, whole } = writeJson(value, strictLeaf, limit);
  if (whole) return text;
  throw new WorkLimitError(`it is longer than ${limit} characters as JSON`);
}

/** Characters that a person is shown at most; more is not read. */
const MOST_READ = 16_384;

/**
 * `value` for a person: as in its canonical form, and for what has none, such as a
 * number too large for a double, as near to it as can be. A long one ends
 * in `…`.
 */
export function readable(value: JsonValue): string {
  const { text, whole } = writeJson(value, looseLeaf, MOST_READ);
  return whole ? text : `${text}…`;
}

function strictLeaf(value: JsonValue | undefined): string {
  switch (typeof value) {
    case "string":
      if (value.isWellFormed()) return JSON.stringify(value);
      throw new Error("half a surrogate pair is not a character");
    case "number":
      if (Number.isFinite(value)) return JSON.stringify(value);
      throw new RangeError(`${value} is not a number of JSON`);
    case "undefined":
      throw new TypeError("undefined is not a value of JSON");
    default:
      return looseLeaf(value);
  }
}

function looseLeaf(value: JsonValue): string {
  const isNumber = typeof value === "bigint" || typeof value === "number";
  return isNumber ? String(value) : JSON.stringify(value);
}

/** JSON text, or as much of it as there was room for. */
interface Written {
  readonly text: string;
  /** False when the limit cut it. */
  readonly whole: boolean;
}

/** A list or an object that is being written. */
interface Open {
  readonly value: Exclude<JsonValue, string | number | bigint | boolean | null>;
  /** Of an object, sorted. */
  readonly keys: readonly string[] | undefined;
  next: number;
  isEmpty: boolean;
}

/**
 * Writes JSON with sorted keys and without white space (RFC 8785). What is written
 * may be nested deeper than a call stack, and the text of a list of values that hold
 * each other, which a path can find in a response, may be longer than any
 * memory: it ends within some thousand characters of `limit`.
 *
 * @param leaf writes a value that is neither list nor object, and each key
 */
function writeJson(
  root: JsonValue,
  leaf: (value: JsonValue) => string,
  limit: number,
): Written {
  let text = "";
  let before = "";
  const open: Open[] = [];
  enter(root);
  for (let inside = open.at(-1); inside; inside = open.at(-1)) {
    if (text.length > PIECE) {
      before += flat(text);
      text = "";
      if (before.length > limit) return { text: before, whole: false };
    }
    const { value, keys } = inside;
    if (inside.next >= (keys ?? value as readonly JsonValue[]).length) {
      text += keys ? "}" : "]";
      open.pop();
      continue;
    }
    const at = inside.next++;
    const key = keys?.[at];
    const child = key === undefined
      ? (value as readonly (JsonValue | undefined)[])[at] ?? null
      : (value as Readonly<Record<string, JsonValue | undefined>>)[key];
    // As JSON.stringify leaves out members that have no value.
    if (child === undefined) continue;
    if (!inside.isEmpty) text += ",";
    inside.isEmpty = false;
    if (key !== undefined) text += `${leaf(key)}:`;
    enter(child);
  }
  return { text: before + text, whole: true };

  function enter(value: JsonValue): void {
    const isList = Array.isArray(value);
    if (!isList && !isObject(value)) {
      text += leaf(value);
      return;
    }
    text += isList ? "[" : "{";
    const keys = isList ? undefined : Object.keys(value).sort();
    open.push({ value, keys, next: 0, isEmpty: true });
  }
}

/** A text that grows by characters keeps 32 bytes for each until it is read. */
const PIECE = 4_096;

function flat(text: string): string {
  text.charCodeAt(0);
  return text;
}
