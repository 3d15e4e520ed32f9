import type { Report } from "../../base/text/diagnostic.ts";
import type { Operator } from "../ir.ts";
import { extractedBefore, type KnownNames } from "./known_names.ts";

/**
 * Reports a bare word on the right of an assertion that is the name of
 * something known there: compared as a word it equals no value that was meant.
 *
 * @param index of the first step whose variables are not known there
 */
export function checkBareName(
  word: string,
  op: Operator,
  pointer: string,
  index: number,
  names: KnownNames,
  report: Report,
): void {
  const [root = "", ...path] = word.split(".");
  const named = whatIs(root, index, names);
  if (!named) return;
  const template = path.length > 0 || named.part === undefined
    ? `{{ ${word} }}`
    : `{{ ${root}.${named.part} }}`;
  report({
    at: `${pointer}/value`,
    code: "bare-name",
    message:
      `\`${word}\` is compared as the text "${word}", but \`${root}\` is ${named.noun}`,
    hint: op === "matches"
      ? `a pattern is not templated: put it in quotes: "${word}"`
      : `for the value write ${template}, for the text put it in quotes: "${word}"`,
  });
}

interface Named {
  readonly noun: string;
  /** What has to follow the name in a template. */
  readonly part?: string;
}

function whatIs(
  root: string,
  index: number,
  names: KnownNames,
): Named | undefined {
  if (root === "env") {
    return { noun: "the name of the environment", part: "<NAME>" };
  }
  if (names.pools.has(root)) {
    return { noun: "the name of the fixture", part: "<column>" };
  }
  return extractedBefore(names, root, index)
    ? { noun: "a variable" }
    : undefined;
}
