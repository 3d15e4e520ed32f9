import * as v from "valibot";
import { defaulted, optional, required } from "../fields/field.ts";
import { mapping } from "../fields/mapping.ts";
import { or, plain } from "../fields/plain.ts";
import { name, oneOf } from "../fields/scalars.ts";
import { entryOf } from "../source/node.ts";
import type { Slot } from "../fields/slot.ts";
import type { Value, ValueOf } from "../fields/value.ts";

const FORMATS = ["csv", "json"] as const;
const DISTRIBUTIONS = ["unique-per-vu", "round-robin", "random"] as const;
const EXHAUSTION = ["fail", "cycle", "stop"] as const;

/** A path that cannot be read still makes a pool, which templates may use. */
const path = or(plain({ why: "the file is read before the run" }), "");
const format = oneOf(FORMATS);

const written = mapping({
  name: required(or(name("a pool's name"), "_"), "what templates call it"),
  path: required(path, "fixture file"),
  format: optional(
    format,
    `${FORMATS.join(", ")}; by the path's ending when absent`,
  ),
  distribution: defaulted(
    oneOf(DISTRIBUTIONS),
    DISTRIBUTIONS[0],
    DISTRIBUTIONS.join(", "),
  ),
  on_exhausted: defaulted(
    oneOf(EXHAUSTION),
    EXHAUSTION[0],
    EXHAUSTION.join(", "),
  ),
});

/** A fixture and how its rows are handed out. */
export type Pool = Required<ValueOf<typeof written>>;

const schema = v.strictObject({
  ...written.entries,
  format: format.schema,
}) as unknown as v.GenericSchema<unknown, Pool>;

/** One of `pools`, which only programs can say. */
export const pool: Value<Pool> = {
  schema,
  form: written.form,
  inside: { fields: written.fields },
  read(slot) {
    const read = written.read(slot);
    if (!read) return;
    const node = entryOf(slot.node, "path")?.value ?? slot.node;
    const file = slot.below("path", node, "`path`");
    return { ...read, format: read.format ?? formatOf(read.path, file) };
  },
};

const ENDING = new RegExp(`\\.(?:${FORMATS.join("|")})$`, "i");

/** `data`: the one pool a flow file can have, and where its rows are bound. */
export const data: Value<Pool> = {
  schema,
  form: {
    type: "string",
    pattern: `^(?!.*\\{\\{).*\\.(${FORMATS.map(inAnyCase).join("|")})$`,
  },
  read(slot) {
    const file = slot.below("path", slot.node, slot.what).read(path) ?? "";
    return {
      name: "user",
      path: file,
      format: formatOf(file, slot),
      distribution: DISTRIBUTIONS[0],
      on_exhausted: EXHAUSTION[0],
    };
  },
};

/** A JSON Schema knows no flags. */
function inAnyCase(word: string): string {
  return word.replaceAll(/./g, (each) => `[${each}${each.toUpperCase()}]`);
}

function formatOf(path: string, slot: Slot): Pool["format"] {
  const ending = ENDING.exec(path)?.[0].slice(1).toLowerCase();
  const known = FORMATS.find((each) => each === ending);
  if (!known && path !== "") {
    slot.report({
      code: "bad-fixture",
      message:
        `a fixture is a .csv or a .json file, but ${slot.what} is "${path}"`,
    });
  }
  return known ?? FORMATS[0];
}
