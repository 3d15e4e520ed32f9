import { type Edges, ELLIPSIS, PART, WHOLE } from "./cuts.ts";
import { Base64Runs } from "./base64_runs.ts";
import { BACKSLASH, MOST_SLASHES } from "./backslash.ts";
import { isIntroducer } from "./escape_cursor.ts";
import { findRuns, type Run } from "./runs.ts";
import { pairViews, runViews } from "./run_views.ts";
import { MANIFOLD, simpleEscape } from "./simple_escape.ts";
import type { Trie } from "./trie.ts";
import { unescaped, type View, withoutZeros } from "./views.ts";
import { Walk } from "./walk.ts";
import { domainToUnicode } from "node:url";

/** Encodings around each other that are taken off; escapes come on top. */
const DEPTH = 3;

/** What a code unit may be the beginning of. */
const FIRST = 1;
const ESCAPE = 2;
const CUT = 4;

/** Finds secrets in texts, plain or encoded. */
export class Search {
  readonly #kinds = new Uint8Array(0x10000);
  readonly #base64: Base64Runs;
  readonly #least: number;
  readonly #edge: number;

  /** @param mark what is left alone: it stands for a secret already */
  constructor(readonly trie: Trie, readonly mark: string) {
    for (const unit of trie.firsts) this.#kinds[unit] = FIRST;
    for (let unit = 0; unit < 128; unit++) {
      if (isIntroducer(unit)) this.#kinds[unit]! |= ESCAPE;
    }
    this.#kinds[ELLIPSIS]! |= CUT;
    const { shortest, words } = trie;
    this.#base64 = new Base64Runs(trie);
    this.#least = words.size > 0 ? 2 : Math.ceil(shortest * 8 / 6);
    this.#edge = Math.min(this.#least, Math.ceil(PART * 8 / 6));
  }

  /** Where secrets stand: pairs of start and end, in no order. */
  find(text: string, edges: Edges): number[] {
    const found: number[] = [];
    this.#pieces(text, edges, DEPTH, true, found);
    return found;
  }

  /** @param plain also look for what is in no run */
  #pieces(
    text: string,
    edges: Edges,
    depth: number,
    plain: boolean,
    found: number[],
  ): void {
    const pieces = text.split(this.mark);
    let offset = 0;
    pieces.forEach((piece, i) => {
      const cut = {
        start: edges.start && i === 0,
        end: edges.end && i === pieces.length - 1,
      };
      const inner: number[] = [];
      if (plain) this.#plain(piece, cut, inner);
      if (depth > 0) this.#encoded(piece, cut, depth - 1, inner);
      for (const at of inner) found.push(offset + at);
      offset += piece.length + this.mark.length;
    });
  }

  #plain(text: string, edges: Edges, found: number[]): void {
    const kinds = this.#kinds;
    let walk: Walk | undefined;
    if (edges.start) {
      walk = new Walk(this.trie, text, edges);
      this.#note(0, walk.afterCut(0), found);
    }
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const kind = kinds[unit]!;
      if (kind === 0) continue;
      if (
        kind === FIRST && !this.trie.mayBegin(unit, text.charCodeAt(at + 1))
      ) {
        continue;
      }
      if ((kind & ESCAPE) !== 0 && !this.#mayEscape(text, at, unit)) continue;
      walk ??= new Walk(this.trie, text, edges);
      this.#note(at, walk.from(at), found);
      if (kind === CUT) this.#note(at + 1, walk.afterCut(at + 1), found);
    }
  }

  /** Whether a secret may begin at an introducer. */
  #mayEscape(text: string, at: number, unit: number): boolean {
    // In a row of backslashes what begins at the first may begin at any.
    if (unit === BACKSLASH && text.charCodeAt(at - 1) === BACKSLASH) {
      return at % MOST_SLASHES === 0;
    }
    const kinds = this.#kinds;
    if ((kinds[unit]! & FIRST) !== 0) return true;
    const point = simpleEscape(text, at);
    return point === MANIFOLD || point > 0xffff ||
      point >= 0 && (kinds[point]! & FIRST) !== 0;
  }

  #note(start: number, end: number, found: number[]): void {
    if (end > start) found.push(start, end);
  }

  #encoded(text: string, edges: Edges, depth: number, found: number[]): void {
    const { trie } = this;
    const { likely, shortest, words } = trie;
    const seen = findRuns(text, this.#least, this.#edge, edges);
    for (const run of seen.runs) {
      if (words.size > 0) this.#word(text, run, found);
      for (const view of runViews(text, run, this.#base64, trie, edges)) {
        this.#view(view, view.edges, depth, true, found);
      }
    }
    if (seen.pairs > 1 && seen.pairs + 3 >= this.#fewest(text, edges)) {
      for (const view of pairViews(text, likely, shortest, edges)) {
        this.#view(view, view.edges, depth, true, found);
      }
    }
    if (text.includes("xn--")) {
      for (const view of hostViews(text)) {
        this.#view(view, WHOLE, depth, true, found);
      }
    }
    if (seen.zeros) {
      return this.#view(withoutZeros(text), edges, depth, true, found);
    }
    for (const positions of [seen.escapes, seen.quoted]) {
      const view = positions.length > 0
        ? unescaped(text, positions, edges)
        : undefined;
      if (view) this.#view(view, edges, depth, view.zeros, found);
    }
  }

  /** Bytes that are worth a look: fewer where a cut may have gone through them. */
  #fewest(text: string, { start, end }: Edges): number {
    const { shortest } = this.trie;
    return start || end || text.includes("\u2026")
      ? Math.min(PART, shortest)
      : shortest;
  }

  #word(text: string, { from, to }: Run, found: number[]): void {
    if (this.trie.words.has(text.slice(from, to))) found.push(from, to);
  }

  #view(
    view: View,
    edges: Edges,
    depth: number,
    plain: boolean,
    found: number[],
  ): void {
    const inner: number[] = [];
    this.#pieces(view.text, edges, depth, plain, inner);
    for (let i = 0; i < inner.length; i += 2) {
      found.push(...view.source(inner[i]!, inner[i + 1]!));
    }
  }
}

/** A label of a host name in punycode (RFC 5890 section 2.3.2.1). */
const LABEL = /xn--[a-z0-9-]+/gi;

/**
 * What labels in punycode stand for. Its digits are not side by side with the
 * characters they stand for, so that a label counts as a whole.
 */
function* hostViews(text: string): Generator<View> {
  for (const { 0: label, index } of text.matchAll(LABEL)) {
    const plain = domainToUnicode(label);
    if (plain === "" || plain === label) continue;
    yield { text: plain, source: () => [index, index + label.length] };
  }
}
