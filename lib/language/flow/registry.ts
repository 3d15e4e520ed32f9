import type { Field, Fields } from "../fields/value.ts";
import type { Kinds } from "./kind.ts";
import type { Schemes } from "./scheme.ts";

/** What the program can do, as far as the language has to know of it. */
export interface Registry {
  readonly kinds: Kinds;
  readonly schemes: Schemes;
}

/** The keys of steps that are a part of some block, such as `headers`. */
export function blockKeys({ kinds }: Registry): Fields {
  const found: Record<string, Field> = {};
  for (const { block } of kinds.values()) {
    for (const [key, field] of Object.entries(block.fields)) {
      if (field.written !== undefined) found[key] ??= field;
    }
  }
  return found;
}
