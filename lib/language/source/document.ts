import * as v from "valibot";
import { anyJson } from "../../base/values/json_schema.ts";

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));

/**
 * `[line]`, `[line, column, length]`, or with the index of a file at the end:
 * 1-based, in UTF-16 units. A column of 0 means the whole line.
 */
const location = v.pipe(v.array(whole), v.minLength(1), v.maxLength(4));
const byPointer = v.exactOptional(v.record(v.string(), location));

/**
 * A flow or target as a program says it: the keys of the file as plain data,
 * and beside it where each part was written, by JSON Pointer (RFC 6901) into
 * the data. A part without a location of its own has that of what holds it.
 */
export const documentSchema = v.strictObject({
  value: anyJson,
  /** The first is where locations are that name no file. */
  files: v.exactOptional(v.array(v.strictObject({
    /** As messages name it. */
    name: v.string(),
    /** For frames; without it messages name the line alone. */
    text: v.exactOptional(v.string()),
  }))),
  /** Of values. */
  locations: byPointer,
  /** Of keys. */
  key_locations: byPointer,
  /** Numbers that JSON has no form for, as they were written. */
  numbers: v.exactOptional(v.record(v.string(), v.string())),
});
export type SourceDocument = v.InferOutput<typeof documentSchema>;
/** Line, column, length, index of the file. */
export type DocumentLocation = v.InferOutput<typeof location>;
