import { isObject, type JsonValue } from "../../base/values/json.ts";
import { child } from "../../base/values/pointer.ts";

/** One string of a JSON value. */
export interface PlacedString {
  readonly pointer: string;
  readonly text: string;
  /** It is rendered when the step has extracted its own variables. */
  readonly extracted?: true;
}

/** Every string in a JSON value, keys left out, each with its pointer. */
export function* stringsOf(
  value: JsonValue,
  pointer: string,
): Generator<PlacedString> {
  if (typeof value === "string") yield { pointer, text: value };
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* stringsOf(item, child(pointer, index));
    }
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      yield* stringsOf(item, child(pointer, key));
    }
  }
}
