import * as v from "valibot";
import { parseDuration } from "../../lib/base/values/duration.ts";
import type { Kind, Option, OptionOf, Options } from "../options/option.ts";
import { parseValue } from "../options/parse_value.ts";

type Schema<T> = v.GenericSchema<unknown, T>;

/** The parameters of a method that takes these options. */
type Params<Table> = {
  [Key in keyof Table]: Table[Key] extends OptionOf<infer T, infer Always>
    ? Always extends true ? v.OptionalSchema<Schema<T>, T>
    : v.ExactOptionalSchema<Schema<T>, undefined>
    : never;
};

/** Options as parameters: the same values, checked the same way. */
export function paramsOf<Table extends Options>(table: Table): Params<Table> {
  const params = Object.entries(table).map(([key, { kind, fallback }]) => {
    const schema = schemaOf(kind);
    return [
      key,
      fallback === undefined
        ? v.exactOptional(schema)
        : v.optional(schema, valueOf(kind, fallback)),
    ];
  });
  return Object.fromEntries(params) as Params<Table>;
}

/** Programs say a duration in seconds. */
function valueOf(kind: Kind, fallback: NonNullable<Option["fallback"]>) {
  const value = parseValue(kind, fallback);
  return kind.type === "duration" ? value as number / 1e6 : value;
}

function schemaOf(kind: Kind): v.GenericSchema {
  switch (kind.type) {
    case "switch":
      return v.boolean();
    case "texts":
      return v.array(v.string());
    case "whole":
      return v.pipe(
        v.number(),
        v.integer(),
        v.minValue(kind.min),
        v.maxValue(kind.max),
      );
    case "positive":
      return v.pipe(v.number(), v.gtValue(0));
    case "share":
      return v.pipe(v.number(), v.gtValue(0), v.maxValue(1));
    case "duration":
      return v.pipe(
        v.number(),
        v.minValue(parseDuration(kind.leastOfProgram ?? kind.least) / 1e6),
      );
    case "words":
      return v.picklist(kind.words);
    default:
      return v.string();
  }
}
