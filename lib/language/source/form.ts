import type { JsonObject } from "../../base/values/json.ts";
import { NAME as NAME_PATTERN } from "../../base/values/name.ts";

/**
 * What may stand as a value, as a JSON Schema (2020-12): editors check and
 * complete by it. It says what one value can be told by itself; what it cannot
 * say is the reader's to refuse, and what it refuses the reader refuses too.
 */
export type Form = JsonObject;

/** A string in quotes or a bare word; not a number. */
export const STRING: Form = { type: "string" };

/** A string with something in it. */
export const WORDS: Form = { type: "string", pattern: "\\S" };

/** A string that is used as it is written. */
export const PLAIN: Form = {
  type: "string",
  pattern: "^(?![\\s\\S]*\\{\\{)[\\s\\S]*\\S",
};

/** What becomes text: a string, a number, `true` or `false`. */
export const TEXT: Form = { type: ["string", "number", "boolean"] };

/** `true` or `false`. */
export const SWITCH: Form = { type: "boolean" };

/** A name: letters, digits, `_` and `-`. */
export const NAME: Form = { type: "string", pattern: NAME_PATTERN.source };

const AMOUNT = "\\d+(\\.\\d+)?(us|ms|s|m|h)";

/** A duration such as `500ms`. */
export const DURATION: Form = {
  type: "string",
  pattern: `^\\s*${AMOUNT}\\s*$`,
};

/** A duration longer than 0. */
export const LONGER_THAN_0: Form = {
  type: "string",
  pattern: `^\\s*(?!0+(\\.0+)?[a-z])${AMOUNT}\\s*$`,
};

/** A rate such as `50/s` or `1/250ms`. */
export const RATE: Form = {
  type: "string",
  pattern: `^\\s*0*[1-9]\\d*\\s*/\\s*(us|ms|s|m|h|${AMOUNT})\\s*$`,
};

/** A ramp: `"<from> -> <to> over <duration>"`. */
export const RAMP: Form = {
  type: "string",
  pattern:
    `^\\s*\\d+\\s*->\\s*\\d+\\s+over\\s+(?!0+(\\.0+)?[a-z])${AMOUNT}\\s*$`,
};

/** A list of status codes. */
export const STATUSES: Form = listOf({
  type: "integer",
  minimum: 100,
  maximum: 599,
});

/** Parts every schema of a flow has, by `$ref`. */
export const PAYLOAD: Form = { $ref: "#/$defs/payload" };
export const ASSERTION: Form = { $ref: "#/$defs/assertion" };
export const THRESHOLD: Form = { $ref: "#/$defs/threshold" };
export const AUTH: Form = { $ref: "#/$defs/auth" };

/** A whole number no smaller than `min`. */
export function wholeNumber(min: number): Form {
  return { type: "integer", minimum: min };
}

/** One of a closed set of words. */
export function oneWord(words: readonly string[]): Form {
  return { enum: [...words] };
}

/** A list of values of one form, no shorter than `min`. */
export function listOf(items: Form, min = 0): Form {
  return { type: "array", items, ...(min > 0 && { minItems: min }) };
}

/** A mapping whose keys are the author's own. */
export function mappingOf(values: Form, names?: Form): Form {
  return {
    type: "object",
    additionalProperties: values,
    ...(names && { propertyNames: names }),
  };
}

/** A value of any of these forms. */
export function either(...forms: readonly Form[]): Form {
  return { anyOf: forms };
}
