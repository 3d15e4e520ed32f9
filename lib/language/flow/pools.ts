import * as v from "valibot";
import {
  defaulted,
  optional,
  required,
  type Slot,
  type Value,
  type ValueOf,
} from "../fields/field.ts";
import { type Mapping, mapping } from "../fields/mapping.ts";
import {
  filePath,
  filled,
  keyAsValue,
  name,
  oneOf,
  or,
  plain,
} from "../fields/scalars.ts";
import type { Words } from "../expressions/elsewhere.ts";
import { entryOf } from "../source/node.ts";

const FORMATS = ["csv", "json"] as const;
const DISTRIBUTIONS = ["unique-per-vu", "round-robin", "random"] as const;
const EXHAUSTION = ["fail", "cycle", "stop"] as const;

/** A path that cannot be read still makes a pool, which templates may use. */
const path = or(
  filePath(filled(plain({ why: "the file is read before the run" }))),
  "",
);
const format = oneOf(FORMATS);

/** Gatling's strategies, JMeter's sharing modes and their like. */
const OTHER_DISTRIBUTIONS: Words = {
  "queue|sequence|sequential|in_order|unique|shared|each_once":
    "did you mean `unique-per-vu`? rows are handed out in file order",
  "circular|cycle|loop|repeat|recycle":
    "did you mean `on_exhausted: cycle`? rows begin anew when they are used up",
  "shuffle|shuffled": "did you mean `random`? a row may come more than once",
};
const OTHER_EXHAUSTION: Words = {
  "circular|loop|repeat|recycle|wrap|restart|reuse|round[_-]robin":
    "did you mean `cycle`?",
  "end|exit|abort|abort_run|stop_run|stop_test|quit": "did you mean `stop`?",
  "error|crash": "did you mean `fail`?",
};
const poolName = or(name("a pool's name"), "_");
const KEYS = {
  path: required(path, "fixture file"),
  format: optional(
    format,
    `one of ${FORMATS.join(", ")}; by the path's ending when absent`,
  ),
  distribution: defaulted(
    oneOf(DISTRIBUTIONS, OTHER_DISTRIBUTIONS),
    DISTRIBUTIONS[0],
    `one of ${DISTRIBUTIONS.join(", ")}`,
  ),
  on_exhausted: defaulted(
    oneOf(EXHAUSTION, OTHER_EXHAUSTION),
    EXHAUSTION[0],
    `one of ${EXHAUSTION.join(", ")}`,
  ),
};
/** Words of other tools for a fixture. */
const OTHER_KEYS: Words = {
  "file|file_name|filename|fixture|source|src|url|data|csv|json":
    "did you mean `path`?",
  "fields|columns|headers?|variable_names|skip_headers?|ignore_first_line|trim":
    "the columns are named by the first record of the file",
  "strategy|order|mode|policy|selection|pick|distribute|load_all|sharing":
    "did you mean `distribution`?",
  "on_(?:end|eof|empty|finish|finished)|exhausted|recycle|loop|circular|repeat|wrap|stop_thread|when_exhausted":
    "did you mean `on_exhausted`?",
  "type|ext|extension": "did you mean `format`?",
  "delimiter|separator|quote|encoding|cast|bom|comment|options":
    "cells are separated by commas, text is UTF-8, and a cell is its text",
};
const places = [OTHER_KEYS];
const named = mapping(KEYS, {
  hint: "for example `account: { path: accounts.csv }`",
  places,
});
const written = mapping({
  name: required(poolName, "what templates call it"),
  ...KEYS,
}, { places });

/** A fixture and how its rows are handed out. */
export type Pool = Required<ValueOf<typeof written>>;

const schema = v.strictObject({
  ...written.entries,
  format: format.schema,
}) as unknown as v.GenericSchema<unknown, Pool>;

/** Stands for a pool that cannot be read: those behind it keep their places. */
const UNREAD: Pool = {
  name: "_",
  path: "",
  format: FORMATS[0],
  distribution: DISTRIBUTIONS[0],
  on_exhausted: EXHAUSTION[0],
};

/** `pools` of a flow: a mapping by name in a file, a list in the IR and from a program. */
export const pools: Value<Pool[]> = {
  schema: v.array(schema),
  form: {
    type: "object",
    additionalProperties: named.form,
    propertyNames: poolName.form,
  },
  inside: { item: { inside: { fields: named.fields } } as Value<unknown> },
  emptyIsAbsent: true,
  read: (slot) => readPools(slot, 0),
};

/** @param from the place of the first of them among the pools of the flow */
export function readPools(slot: Slot, from: number): Pool[] {
  const { node } = slot;
  if (node.kind === "list") {
    return node.items.map((item, index) =>
      readPool(slot.below(from + index, item, "a pool"), written) ?? UNREAD
    );
  }
  const entries = slot.map(
    `${slot.what} must be a mapping of names to pools`,
    "write each as `<name>: { path: <file> }`",
  )?.entries ?? [];
  return entries.map(({ key, keyAt, value }, index) => {
    const one = slot.below(from + index, value, `pool \`${key}\``);
    const called = one.below("name", keyAsValue(key, keyAt)).read(poolName);
    const read = readPool(one, named);
    return { ...UNREAD, ...read, name: called ?? "_" };
  });
}

function readPool<T extends Omit<Pool, "format" | "name">>(
  slot: Slot,
  value: Mapping<T & { format?: Pool["format"] }>,
): T & Pick<Pool, "format"> | undefined {
  const found = slot.read({ read: value.readBlock });
  if (!found) {
    slot.reader.markWrong(slot.below("path", slot.node).pointer);
    return;
  }
  const read = { ...found, path: found.path ?? "" };
  const node = entryOf(slot.node, "path")?.value ?? slot.node;
  const file = slot.below("path", node, "`path`");
  return { ...read, format: read.format ?? formatOf(read.path, file) };
}

const ENDING = new RegExp(`\\.(?:${FORMATS.join("|")})$`, "i");

/** `data`: the one pool a flow file can have, and where its rows are bound. */
export const data: Value<Pool> = {
  schema,
  form: {
    type: "string",
    pattern: `^(?!.*\\{\\{).*\\.(${FORMATS.map(inAnyCase).join("|")})$`,
  },
  read(slot) {
    const file = slot.below("path", slot.node, slot.what);
    if (slot.node.kind !== "scalar") {
      file.scalar(
        `${slot.what} must be a string`,
        "it is the path of one fixture; several, and how their rows are handed out, are `pools`, with `version: 1`",
      );
    }
    const read = slot.node.kind === "scalar" ? file.read(path) ?? "" : "";
    return {
      name: "user",
      path: read,
      format: formatOf(read, file),
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
      hint: "save it as CSV with commas, or as a JSON list of objects",
    });
  }
  return known ?? FORMATS[0];
}
