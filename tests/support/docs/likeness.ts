import { ok } from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

/** What no two runs have in common, and the word that stands for it. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/\b\d{8}T\d{6}Z-([\w-]+)-[0-9a-f]{6}\b/g, "<run of $1>"],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "<time>"],
  [/\b[0-9a-f]{16,64}\b/g, "<id>"],
  [/(?<![\w.])\d+(?:\.\d+)?(?:us|ms|s|m|h)\b/g, "<duration>"],
];

const NUMBER: readonly [RegExp, string] = [/\d[\d,]*(?:\.\d+)?/g, "<number>"];

/** Stands for anything: words of a text, members of a list or an object. */
const ANYTHING = "...";

/**
 * Holds what a page shows against what was printed. Times and ids differ from
 * run to run and are not compared; with `roughly` no number is. Neither is
 * white space, and `...` stands for anything.
 */
export function assertLike(
  shown: string,
  printed: string,
  roughly: boolean,
): void {
  const json = [shown, printed].map(asJson);
  const [want, have] = json.every((each) => each !== undefined)
    ? [json[0], prunedTo(json[0], json[1])]
    : wordsOf(shown, printed, roughly);
  const alike = isDeepStrictEqual(plain(have, roughly), plain(want, roughly));
  ok(alike, `what is printed is not what the page shows:\n${printed}`);
}

function steady(text: string, roughly: boolean): string {
  const table = roughly ? [...VOLATILE, NUMBER] : VOLATILE;
  return table.reduce((text, [what, word]) => text.replace(what, word), text);
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Both texts as words; of the printed one, what the other leaves out is left out. */
function wordsOf(
  shown: string,
  printed: string,
  roughly: boolean,
): [string[], string[]] {
  const words = (text: string) => steady(text, roughly).trim().split(/\s+/);
  const [want, have] = [words(shown), words(printed)];
  return [want, without(have, want)];
}

/** `words` with each run that a `...` of `like` stands for replaced by it. */
function without(words: readonly string[], like: readonly string[]): string[] {
  const gap = like.indexOf(ANYTHING);
  if (gap < 0) return [...words];
  const next = like.indexOf(ANYTHING, gap + 1);
  const anchor = like.slice(gap + 1, next < 0 ? undefined : next);
  const from = anchor.length === 0
    ? words.length
    : words.findIndex((_, index) =>
      index >= gap &&
      anchor.every((word, offset) => words[index + offset] === word)
    );
  return from < 0 ? [...words] : [
    ...words.slice(0, gap),
    ANYTHING,
    ...without(words.slice(from), like.slice(gap + 1)),
  ];
}

/** `value` without the members that `like` leaves out by `...`. */
function prunedTo(like: unknown, value: unknown): unknown {
  if (Array.isArray(like) && Array.isArray(value)) {
    const open = like.at(-1) === ANYTHING;
    const kept = open ? value.slice(0, like.length - 1) : value;
    const pruned = kept.map((each, index) => prunedTo(like[index], each));
    return open ? [...pruned, ANYTHING] : pruned;
  }
  if (!isRecord(like) || !isRecord(value)) return value;
  const open = ANYTHING in like;
  const kept = Object.entries(value).filter(([key]) => !open || key in like)
    .map(([key, each]) => [key, prunedTo(like[key], each)]);
  return { ...Object.fromEntries(kept), ...(open && { [ANYTHING]: ANYTHING }) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A JSON value with steady texts; roughly, every number is 0. */
function plain(value: unknown, roughly: boolean): unknown {
  if (typeof value === "string") return steady(value, roughly);
  if (typeof value === "number") return roughly ? 0 : value;
  if (Array.isArray(value)) return value.map((each) => plain(each, roughly));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, plain(each, roughly)]),
  );
}
