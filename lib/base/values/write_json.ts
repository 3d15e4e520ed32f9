import { isObject, type JsonValue } from "./json.ts";

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
export function writeJson(
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
