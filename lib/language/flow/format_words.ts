import type { GenericSchema } from "valibot";
import type { FormatWords } from "../../base/values/format_words.ts";
import type { Registry } from "./registry.ts";
import { flowSchema } from "./flow.ts";
import { schemeMapping } from "./scheme.ts";

/** The words of the IR, its blocks included, from the schemas it is read by. */
export function irWords({ kinds, schemes }: Registry): FormatWords {
  const words = new Words();
  words.read(flowSchema, "");
  for (const { kind, block } of kinds.values()) {
    words.add("kind", kind);
    words.read(block.schema, "block");
  }
  for (const scheme of schemes.values()) {
    words.read(schemeMapping(scheme, schemes).schema, "auth");
  }
  return words;
}

/** A schema as `valibot` makes it, as far as it has others inside. */
type Inside = Partial<{
  readonly entries: Readonly<Record<string, GenericSchema>>;
  readonly options: readonly (GenericSchema | string)[];
  readonly literal: unknown;
  readonly item: GenericSchema;
  readonly value: GenericSchema;
  readonly wrapped: GenericSchema;
  readonly pipe: readonly { readonly metadata?: unknown }[];
}>;

class Words implements FormatWords {
  readonly keys = new Set<string>();
  readonly values = new Map<string, Set<string>>();

  add(key: string, word: unknown): void {
    if (typeof word !== "string") return;
    const known = this.values.get(key) ?? new Set();
    this.values.set(key, known.add(word));
  }

  /** @param key what a value of the schema is under, through any lists */
  read(schema: GenericSchema, key: string): void {
    const { entries = {}, options = [], literal, item, value, wrapped, pipe } =
      schema as Inside;
    for (const [name, each] of Object.entries(entries)) {
      this.keys.add(name);
      this.read(each, name);
    }
    for (const each of options) {
      if (typeof each === "string") this.add(key, each);
      else this.read(each, key);
    }
    this.add(key, literal);
    for (const { metadata } of pipe ?? []) {
      const { words = [] } = metadata as { words?: readonly string[] } ?? {};
      for (const word of words) this.add(key, word);
    }
    for (const each of [item, value, wrapped]) if (each) this.read(each, key);
  }
}
