import { brokenEscape, type Edges } from "./cuts.ts";
import { DIGIT_BYTES } from "./digits.ts";
import { NOTHING } from "./escape_cursor.ts";
import { readEscapes } from "./escapes.ts";
import { MANIFOLD, simpleEscape } from "./simple_escape.ts";

/** A text as it reads once something is decoded. */
export interface View {
  readonly text: string;
  /** Where a part of it is in the text it was made of. */
  source(start: number, end: number): [start: number, end: number];
}

/** A view without escapes. */
interface Unescaped extends View {
  /** Zeros were left out, so that it is another text and not a plainer one. */
  readonly zeros: boolean;
}

/**
 * The text without its escapes, for the sake of encoded runs that they
 * interrupt, as in `aGVs%2Bbg`. Undefined when none stands for a digit, a line
 * break or a zero.
 *
 * @param positions where escapes may begin
 * @param edges what is left of one at a cut goes as well
 */
export function unescaped(
  text: string,
  positions: readonly number[],
  edges: Edges,
): Unescaped | undefined {
  if (!positions.some((at) => isUseful(text, at, edges))) return;
  const edits = new Edits(text);
  let zeros = false;
  const found: number[] = [];
  for (const at of positions) {
    if (at < edits.end) continue;
    found.length = 0;
    readEscapes(text, at, found, 1);
    const [point, end] = longest(found);
    const cut = brokenEscape(text, at, edges);
    // One that ends there may go on, as `\\06` of `\\061`.
    if (cut >= 0 && (point === undefined || end === cut)) {
      edits.replace(at, cut, "");
      continue;
    }
    if (point === undefined) continue;
    zeros ||= point === 0;
    const empty = point === NOTHING || point === 0;
    edits.replace(at, end, empty ? "" : String.fromCodePoint(point));
  }
  return { ...edits.view(), zeros };
}

/** The text without zeros, which UTF-16 and UTF-32 read as bytes have. */
export function withoutZeros(text: string): View {
  const edits = new Edits(text);
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) === 0) edits.replace(at, at + 1, "");
  }
  return edits.view();
}

function isUseful(text: string, at: number, edges: Edges): boolean {
  if (brokenEscape(text, at, edges) >= 0) return true;
  const simple = simpleEscape(text, at);
  if (simple !== MANIFOLD) return isDigit(simple);
  const found: number[] = [];
  readEscapes(text, at, found);
  return found.some((point, i) =>
    i % 2 === 0 && (point === NOTHING || isDigit(point))
  );
}

function isDigit(point: number): boolean {
  return point === 0 || DIGIT_BYTES[point] === 1;
}

/** An octal escape may be read with fewer digits. */
function longest(
  found: readonly number[],
): [point: number | undefined, end: number] {
  let best = 0;
  for (let i = 2; i < found.length; i += 2) {
    if (found[i + 1]! > found[best + 1]!) best = i;
  }
  return [found[best], found[best + 1] ?? 0];
}

/** A text with parts of it replaced, and the way back. */
class Edits {
  /** Of the last part that was replaced. */
  end = 0;
  #out = "";
  /** Parts that were replaced: where they end, and what stands for them. */
  readonly #ends: number[] = [];
  readonly #begins: number[] = [];
  readonly #stops: number[] = [];

  constructor(readonly text: string) {}

  replace(start: number, end: number, piece: string): void {
    this.#out += this.text.slice(this.end, start);
    this.#ends.push(end);
    this.#begins.push(this.#out.length);
    this.#out += piece;
    this.#stops.push(this.#out.length);
    this.end = end;
  }

  view(): View {
    return {
      text: this.#out + this.text.slice(this.end),
      // With all that was left out beside it.
      source: (start, end) => [
        this.#position(start, lastBelow(this.#begins, start)),
        this.#position(end, lastBelow(this.#stops, end + 1)),
      ],
    };
  }

  /** @param part the last one replaced before `at` */
  #position(at: number, part: number): number {
    if (part < 0) return at;
    return this.#ends[part]! + Math.max(0, at - this.#stops[part]!);
  }
}

/** Index of the last number under `limit`; the list ascends. -1 for none. */
function lastBelow(list: readonly number[], limit: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
