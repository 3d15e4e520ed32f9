import { isObject, type JsonValue } from "../../base/values/json.ts";
import type { Query } from "./syntax.ts";

/** The value a singular query leads to; undefined when there is none. */
type Follow = (value: JsonValue | undefined) => JsonValue | undefined;

/** One segment: a name, or an index when it is a number. */
interface Key {
  readonly key: string | number;
  /** Every object has something under this name, which JSON did not put there. */
  readonly inherited: boolean;
}

/** Compiles a singular query to a chain of property reads. */
export function compileSingular({ segments }: Query): Follow {
  const keys = segments.map(({ selectors: [selector] }): Key => {
    if (selector?.kind === "index") {
      return { key: selector.index, inherited: false };
    }
    if (selector?.kind === "name") {
      const { name } = selector;
      return { key: name, inherited: name in Object.prototype };
    }
    throw new TypeError("the query is not singular");
  });
  return (value) => {
    let at = value;
    for (const { key, inherited } of keys) {
      if (typeof key === "number") {
        if (!Array.isArray(at)) return undefined;
        at = at[key < 0 ? at.length + key : key];
      } else {
        // A name selects nothing from a list, not even `length` (RFC 9535
        // section 2.3.1.2).
        if (!isObject(at)) return undefined;
        if (inherited && !Object.hasOwn(at, key)) return undefined;
        at = at[key];
      }
    }
    return at;
  };
}
