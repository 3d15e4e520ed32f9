import type { JsonValue } from "../../../lib/base/values/json.ts";
import { isCredentialField } from "../draft/credentials.ts";

/**
 * A value of a script: a part of the response, in the words of an assertion (`$.id`, `status`,
 * `header.ETag`), one that is written out, or a condition, as the assertions that hold with it.
 */
export type ScriptValue =
  | {
    readonly subject: string;
    /** Another value stands for it where it is not there. */
    readonly hasDefault?: boolean;
  }
  | { readonly value: JsonValue }
  | { readonly holds: readonly string[] };

/** `$.total == 3`; undefined where a value cannot be written, or is a credential. */
export function assertion(
  side: ScriptValue | undefined,
  operator: string | undefined,
  value: JsonValue | undefined,
): string | undefined {
  if (!side || !("subject" in side) || operator === undefined) return undefined;
  if (side.hasDefault) return undefined;
  if (value === undefined) return undefined;
  if (value === null && !/^[!=]=$/.test(operator)) return undefined;
  const { subject } = side;
  // A script finds what is not there unequal to any value, an assertion does not.
  if (operator === "!=" && value !== null && !ALWAYS.test(subject)) return;
  const names = subject.match(/\w+/g) ?? [];
  if (typeof value === "string" && isCredentialField(names, value)) return;
  if (subject === "latency") {
    return typeof value === "number" && /^[<>]/.test(operator)
      ? `latency ${operator} ${value}ms`
      : undefined;
  }
  return `${subject} ${operator} ${JSON.stringify(value)}`;
}

/** There in every response. */
const ALWAYS = /^(?:status|latency|body)$/;

/** `$.user contains "bio"`: there it may be null, and then does not exist. */
export function keyed(
  side: ScriptValue | undefined,
  key: JsonValue | undefined,
  negated = false,
): string | undefined {
  if (!side || !("subject" in side) || typeof key !== "string") return;
  const operator = negated ? "not_contains" : "contains";
  return `${side.subject} ${operator} ${JSON.stringify(key)}`;
}

/** `$.id exists` */
export function existence(
  side: ScriptValue | undefined,
  negated: boolean,
): string | undefined {
  return side && "subject" in side
    ? `${side.subject} ${negated ? "not_exists" : "exists"}`
    : undefined;
}
