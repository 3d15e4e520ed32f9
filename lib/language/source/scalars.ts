import { durationHint, parseDuration } from "../../base/values/duration.ts";
import { nearest } from "../../base/text/suggest.ts";
import { describe, type Node, type ScalarNode } from "./node.ts";
import type { Reader } from "./reader.ts";

/*
 * Each reader reports a wrong value and returns undefined, or returns the
 * value. `what` names the value in words, such as "`interval`".
 */

/** A string; an unquoted template or number is refused with the way out. */
export function readString(
  node: Node,
  what: string,
  reader: Reader,
): string | undefined {
  const scalar = scalarOf(node, `${what} must be a string`, reader);
  if (!scalar) return;
  if (typeof scalar.value === "string") return scalar.value;
  reader.report({
    at: node.at,
    code: "wrong-type",
    message: `${what} must be a string, but it is ${describe(node)}`,
    hint: scalar.value === null ? undefined : `quote it: "${scalar.text}"`,
  });
}

/** A string, number or boolean as the text it was written in. */
export function readText(
  node: Node,
  what: string,
  reader: Reader,
): string | undefined {
  const scalar = scalarOf(
    node,
    `${what} must be a string, a number, true or false`,
    reader,
  );
  if (!scalar) return;
  if (scalar.value !== null) return scalar.text;
  reader.report({
    at: node.at,
    code: "wrong-type",
    message:
      `${what} must be a string, a number, true or false, but it is nothing`,
    hint: 'for an empty value write ""',
  });
}

/** A whole number no smaller than `min`. */
export function readInteger(
  node: Node,
  what: string,
  min: number,
  reader: Reader,
): number | undefined {
  const wanted = `${what} must be a whole number of at least ${min}`;
  const scalar = scalarOf(node, wanted, reader);
  if (!scalar) return;
  if (Number.isSafeInteger(scalar.value) && Number(scalar.value) >= min) {
    return Number(scalar.value);
  }
  reader.report({
    at: node.at,
    code: typeof scalar.value === "number" ? "out-of-range" : "wrong-type",
    message: `${wanted}, but it is ${describe(node)}`,
  });
}

/** `true` or `false`. */
export function readBoolean(
  node: Node,
  what: string,
  reader: Reader,
): boolean | undefined {
  const wanted = `${what} must be true or false`;
  const scalar = scalarOf(node, wanted, reader);
  if (!scalar) return;
  if (typeof scalar.value === "boolean") return scalar.value;
  const word = /^(?:(yes|on)|(no|off))$/i.exec(scalar.text);
  reader.report({
    at: node.at,
    code: "wrong-type",
    message: `${wanted}, but it is ${describe(node)}`,
    hint: word ? `did you mean \`${word[1] ? "true" : "false"}\`?` : undefined,
  });
}

/** One of a closed set of words. */
export function readChoice<Word extends string>(
  node: Node,
  what: string,
  words: readonly Word[],
  reader: Reader,
): Word | undefined {
  const wanted = `${what} must be one of ${words.join(", ")}`;
  const scalar = scalarOf(node, wanted, reader);
  if (!scalar) return;
  const found = words.find((word) => word === scalar.value);
  if (found !== undefined) return found;
  const near = nearest(scalar.text, words);
  reader.report({
    at: node.at,
    code: "unknown-value",
    message: `${wanted}, but it is ${describe(node)}`,
    hint: near && `did you mean \`${near}\`?`,
  });
}

/** The least a duration may be, and how that is said. */
interface Least {
  readonly us: number;
  readonly words: string;
}

const AT_LEAST_0: Least = { us: 0, words: "at least 0" };

/** For `readDuration`: durations are whole microseconds. */
export const LONGER_THAN_NOTHING: Least = { us: 1, words: "greater than 0" };

/** A duration in microseconds, no shorter than `min`. */
export function readDuration(
  node: Node,
  what: string,
  reader: Reader,
  min: Least = AT_LEAST_0,
): number | undefined {
  const wanted = `${what} must be a duration, such as 500ms or 1.5s`;
  const scalar = scalarOf(node, wanted, reader);
  if (!scalar) return;
  if (scalar.value === null) {
    reader.report({
      at: node.at,
      code: "wrong-type",
      message: `${wanted}, but it is nothing`,
    });
    return;
  }
  let micros: number;
  try {
    micros = parseDuration(scalar.text);
  } catch (error) {
    reader.report({
      at: node.at,
      code: "bad-duration",
      message: `${what}: ${(error as Error).message}`,
      hint: durationHint(scalar.text),
    });
    return;
  }
  if (micros >= min.us) return micros;
  reader.report({
    at: node.at,
    code: "out-of-range",
    message: `${what} must be ${min.words}, but it is ${scalar.text}`,
  });
}

/** Refuses lists and mappings, and explains an unquoted template. */
export function scalarOf(
  node: Node,
  wanted: string,
  reader: Reader,
): ScalarNode | undefined {
  if (node.kind === "scalar") return node;
  if (node.kind === "map" && node.unquotedTemplate) {
    reportUnquotedTemplate(node.at, node.unquotedTemplate, reader);
  } else {
    reader.report({
      at: node.at,
      code: "wrong-type",
      message: `${wanted}, but it is ${describe(node)}`,
    });
  }
}

/** The first YAML trap: `{{ x }}` without quotes is a mapping to YAML. */
export function reportUnquotedTemplate(
  at: Node["at"],
  template: string,
  reader: Reader,
): void {
  reader.report({
    at,
    code: "unquoted-template",
    message: `YAML reads an unquoted ${template} as a mapping`,
    hint: `quote this template: "${template}"`,
  });
}
