import * as v from "valibot";
import { child } from "../../base/values/json.ts";
import type { ListNode, ScalarNode } from "../source/node.ts";
import type { Form, Part, Slot, Value } from "./field.ts";

/** The diagnostic of an empty list. */
export interface Least {
  readonly code: string;
  /** The least it has to hold, such as "one status". */
  readonly needs: string;
  readonly hint?: string;
}

export interface ListOptions {
  /** The name of its items, such as "statuses". */
  readonly of?: string;
  /** The name of one of them, where each is a mapping: messages call it `stage 1`. */
  readonly item?: string;
  /** A whole list, for a hint. */
  readonly example?: string;
  /** The hint itself. */
  readonly hint?: string;
  readonly least?: Least;
  /** One value stands for a list of it. */
  readonly orOne?: true;
  /** The code of the diagnostic of a value that is there twice, where none may be. */
  readonly repeated?: string;
}

/** The items of a list; refuses what is no list. */
export function itemsOf(
  slot: Slot,
  { of, item, example, hint, least, orOne }: ListOptions,
): ListNode["items"] {
  const { node, what } = slot;
  if (node.kind !== "list") {
    if (orOne) return [node];
    const items = of === undefined ? "" : ` of ${of}`;
    const isItem = item === undefined && node.kind === "scalar" &&
      node.text !== "";
    const one = isItem ? `write it as a list: [${inList(node)}]` : undefined;
    const way = hint ?? one ?? (example && `for example ${example}`);
    return slot.wrongType(`${what} must be a list${items}`, way) ?? [];
  }
  if (node.items.length === 0 && least) {
    const { code, needs, hint } = least;
    slot.report({ code, message: `${what} needs at least ${needs}`, hint });
  }
  return node.items;
}

/** A scalar as it is written between the brackets of a list; a text in quotes, so that programs can take it over too. */
function inList({ text, value }: ScalarNode): string {
  const numbers = /^[\d,\s]+$/.test(text);
  return typeof value === "string" && !numbers ? JSON.stringify(text) : text;
}

/** A list to an editor. */
export function listForm(
  items: Form,
  { least, orOne }: { readonly least?: Least | true; readonly orOne?: true },
): Form {
  const form = { type: "array", items, ...(least && { minItems: 1 }) };
  return orOne ? { anyOf: [items, form] } : form;
}

/** A list of values of one kind; what could not be read is left out. */
export function list<T>(
  item: Value<T>,
  options: ListOptions = {},
): Value<T[]> {
  const array = v.array(item.schema);
  return {
    schema: options.least ? v.pipe(array, v.minLength(1)) : array,
    form: listForm(item.form, options),
    inside: { item },
    emptyIsAbsent: true,
    *parts(values: T[], pointer: string): Iterable<Part> {
      for (const [index, value] of values.entries()) {
        yield* item.parts?.(value, child(pointer, index)) ?? [];
      }
    },
    read(slot) {
      const values: T[] = [];
      for (const [index, each] of itemsOf(slot, options).entries()) {
        const what = options.item === undefined
          ? `each item of ${slot.what}`
          : `${options.item} ${index + 1}`;
        const below = slot.below(values.length, each, what);
        const read = below.read(item);
        if (read === undefined) continue;
        if (options.repeated && values.includes(read)) {
          below.report({
            code: options.repeated,
            message: `${slot.what} has \`${read}\` twice`,
            hint: "leave this one out",
          });
        }
        values.push(read);
      }
      return values.length === 0 && options.least ? undefined : values;
    },
  };
}
