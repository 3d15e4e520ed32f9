import { type Edges, edgesOf, PART } from "./cuts.ts";
import type { Base64Runs } from "./base64_runs.ts";
import type { Stretch } from "./digits.ts";
import { hasDashes, hasHex, hexStretches, isHexWorth } from "./hex_runs.ts";
import type { Run } from "./runs.ts";
import type { Trie } from "./trie.ts";
import type { View } from "./views.ts";

/** A view of a part of a text. */
interface PartView extends View {
  readonly edges: Edges;
}

const NONE: readonly never[] = [];
const HEX_DIGITS = /[0-9a-f]{8,}/gi;
/** Pairs with one thing between them: `de:ad:be`, `DE-AD-BE`, `de ad be`. */
const HEX_PAIRS = /[0-9a-f]{2}([:\- ])[0-9a-f]{2}(?:\1[0-9a-f]{2})+/gi;

/** What a run decodes to where it may hold a secret, as base64 and as hexadecimal digits. */
export function runViews(
  text: string,
  run: Run,
  base64: Base64Runs,
  { shortest, likely, begins }: Trie,
  edges: Edges,
): readonly PartView[] {
  const { from, to, count } = run;
  const cut = edgesOf(text, from, to, edges);
  const least = cut.start || cut.end ? Math.min(PART, shortest) : shortest;
  // Line breaks are left out first.
  const whole = to - from === count;
  const digits = whole ? text : withoutBreaks(text, from, to);
  const [first, last] = whole ? [from, to] : [0, count];
  const stretches = base64.stretches(
    digits,
    first,
    last,
    least,
    cut.start,
  );
  const hex = count >= 2 * least && hasHex(digits, first, last, 2 * least) &&
    (cut.start || isHexWorth(digits, first, last, 2 * least, begins));
  const dashes = count >= 3 * least - 1 && hasDashes(digits, first, last);
  if (stretches.length === 0 && !hex && !dashes) return NONE;
  const position = whole
    ? (i: number) => from + i
    : positionsOf(text, from, to);
  const plain = digits.slice(first, last);
  return [
    ...stretches.map((each) =>
      viewOf(each, cut, position, count, padding(text, to))
    ),
    ...hex ? hexViews(plain, likely, least, cut, position) : NONE,
    ...dashes ? pairViews(plain, likely, least, cut, position) : NONE,
  ];
}

function* hexViews(
  text: string,
  likely: Uint8Array,
  least: number,
  edges: Edges,
  position: (digit: number) => number,
): Generator<PartView> {
  for (const { 0: digits, index } of text.matchAll(HEX_DIGITS)) {
    const cut = edgesOf(text, index, index + digits.length, edges);
    const { length } = digits;
    if (length < 2 * least) continue;
    for (const skip of [0, 1]) {
      for (const each of hexStretches(digits, skip, likely, least)) {
        yield viewOf(each, cut, (digit) => position(index + digit), length);
      }
    }
  }
}

/** What pairs of hexadecimal digits in a text may decode to. */
export function* pairViews(
  text: string,
  likely: Uint8Array,
  least: number,
  edges: Edges,
  position: (at: number) => number = (at) => at,
): Generator<PartView> {
  for (const { 0: pairs, index } of text.matchAll(HEX_PAIRS)) {
    const digits = pairs.replaceAll(/[:\- ]/g, "");
    const cut = pairEdges(text, index, index + pairs.length, edges);
    const fewest = cut.start || cut.end ? Math.min(PART, least) : least;
    for (const each of hexStretches(digits, 0, likely, fewest)) {
      yield viewOf(
        each,
        cut,
        (digit) => position(index + (digit >> 1) * 3 + (digit & 1)),
        digits.length,
      );
    }
  }
}

/**
 * @param count digits of the whole run
 * @param more what belongs to the last of them
 */
function viewOf(
  stretch: Stretch,
  cut: Edges,
  position: (digit: number) => number,
  count: number,
  more = 0,
): PartView {
  const edges = {
    start: cut.start && stretch.first,
    end: cut.end && stretch.last,
  };
  return {
    text: stretch.text,
    edges,
    source(start, end) {
      const [first, last] = stretch.digits(start, end);
      // Bits of one more byte may be before a cut.
      const to = edges.end && end === stretch.text.length ? count : last;
      return [
        position(first),
        position(to - 1) + 1 + (to === count ? more : 0),
      ];
    },
  };
}

/** A cut may have gone through a pair, or between two of them. */
function pairEdges(
  text: string,
  from: number,
  to: number,
  edges: Edges,
): Edges {
  const before =
    /[0-9a-f]?[:\- ]?$/i.exec(text.slice(Math.max(0, from - 2), from))![0];
  const after = /^[:\- ]?[0-9a-f]?/i.exec(text.slice(to, to + 2))![0];
  return edgesOf(text, from - before.length, to + after.length, edges);
}

function padding(text: string, at: number): number {
  return text[at] !== "=" ? 0 : text[at + 1] !== "=" ? 1 : 2;
}

const BREAKS = /[\r\n]/g;

function withoutBreaks(text: string, from: number, to: number): string {
  return text.slice(from, to).replaceAll(BREAKS, "");
}

function positionsOf(
  text: string,
  from: number,
  to: number,
): (digit: number) => number {
  const positions: number[] = [];
  for (let at = from; at < to; at++) {
    if (text[at] !== "\r" && text[at] !== "\n") positions.push(at);
  }
  return (digit) => positions[digit]!;
}
