import { latin1 } from "../../net/ascii.ts";
import { Http2Error } from "../frames/error.ts";

/**
 * Bits of each symbol's code (RFC 7541 appendix B); symbol 256 is EOS. The code
 * is canonical, so the lengths say all of it.
 */
// deno-fmt-ignore
const LENGTHS = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
  28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
  5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
  15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
  6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
  24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
  21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
  19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
  26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
  30,
];
const EOS = 256;

/** The code of each symbol, in its lowest bits. */
const CODES = canonicalCodes();

function canonicalCodes(): Uint32Array {
  const codes = new Uint32Array(LENGTHS.length);
  const order = [...LENGTHS.keys()]
    .sort((a, b) => LENGTHS[a]! - LENGTHS[b]! || a - b);
  let code = 0;
  let length = LENGTHS[order[0]!]!;
  for (const symbol of order) {
    code = code * 2 ** (LENGTHS[symbol]! - length);
    length = LENGTHS[symbol]!;
    codes[symbol] = code++;
  }
  return codes;
}

/** Bytes that `text`, a character for each byte, takes when encoded. */
export function huffmanLength(text: string): number {
  let bits = 0;
  for (let index = 0; index < text.length; index++) {
    bits += LENGTHS[text.charCodeAt(index)]!;
  }
  return (bits + 7) >> 3;
}

/** So many bits of a code go out at once: with those that wait they fit 32. */
const MOST_BITS = 24;

/** Writes the code of `text` into `into` from `at`, padded with ones. */
export function huffmanEncode(
  text: string,
  into: Uint8Array,
  at: number,
): void {
  let pending = 0;
  let waiting = 0;
  for (let index = 0; index < text.length; index++) {
    const symbol = text.charCodeAt(index);
    const code = CODES[symbol]!;
    for (let left = LENGTHS[symbol]!; left > 0;) {
      const taken = Math.min(left, MOST_BITS);
      left -= taken;
      pending = pending << taken | (code >>> left) & ((1 << taken) - 1);
      waiting += taken;
      for (; waiting >= 8; waiting -= 8) into[at++] = pending >>> waiting - 8;
    }
  }
  if (waiting > 0) into[at] = pending << 8 - waiting | 0xff >>> waiting;
}

/*
 * The decoder walks four bits at a time. A state is an inner node of the code
 * tree, 0 the root. No code is shorter than five bits, so four bits end at most
 * one symbol. An entry is `next state << 10 | symbol + 1`, or -1 where EOS is
 * met, which never is in a string (RFC 7541 section 5.2).
 */
const SYMBOL_BITS = 10;
const SYMBOL_MASK = (1 << SYMBOL_BITS) - 1;

interface Decoder {
  readonly steps: Int32Array;
  /** 1 for a state in which a string may end: under eight ones of padding. */
  readonly final: Uint8Array;
}

let built: Decoder | undefined;

/** The tree as children: a state, or `-1 - symbol`. */
function buildTree(): [number, number][] {
  const tree: [number, number][] = [[0, 0]];
  for (let symbol = 0; symbol < LENGTHS.length; symbol++) {
    let node = 0;
    for (let bit = LENGTHS[symbol]! - 1; bit > 0; bit--) {
      const side = (CODES[symbol]! >>> bit) & 1;
      if (tree[node]![side] === 0) tree[node]![side] = tree.push([0, 0]) - 1;
      node = tree[node]![side]!;
    }
    tree[node]![CODES[symbol]! & 1] = -1 - symbol;
  }
  return tree;
}

function buildDecoder(): Decoder {
  const tree = buildTree();
  const steps = new Int32Array(tree.length * 16);
  for (let state = 0; state < tree.length; state++) {
    for (let nibble = 0; nibble < 16; nibble++) {
      steps[state * 16 + nibble] = walk(tree, state, nibble);
    }
  }
  const final = new Uint8Array(tree.length);
  let node = 0;
  for (let depth = 0; depth < 8; depth++) {
    final[node] = 1;
    node = tree[node]![1];
  }
  return { steps, final };
}

function walk(
  tree: readonly [number, number][],
  state: number,
  nibble: number,
): number {
  let node = state;
  let symbol = -1;
  for (let bit = 3; bit >= 0; bit--) {
    const next = tree[node]![(nibble >> bit) & 1]!;
    if (next >= 0) {
      node = next;
      continue;
    }
    symbol = -1 - next;
    if (symbol === EOS) return -1;
    node = 0;
  }
  return (node << SYMBOL_BITS) | (symbol + 1);
}

/** Where text is put together, a byte a character. */
let decoded = new Uint8Array(1_024);

/**
 * Decodes `bytes` from `start` to `end`, each symbol as the character of its
 * number.
 *
 * @throws {Http2Error} `COMPRESSION_ERROR` for EOS or bad padding
 */
export function huffmanDecode(
  bytes: Uint8Array,
  start: number,
  end: number,
): string {
  const { steps, final } = built ??= buildDecoder();
  // No code is shorter than five bits.
  const most = (end - start) * 8 / 5;
  if (decoded.length < most) decoded = new Uint8Array(2 * most);
  let length = 0;
  let state = 0;
  for (let at = start; at < end; at++) {
    for (let shift = 4; shift >= 0; shift -= 4) {
      const step = steps[state * 16 + (bytes[at]! >> shift & 15)]!;
      if (step < 0) throw badHuffman("it holds the end-of-string symbol");
      const symbol = (step & SYMBOL_MASK) - 1;
      if (symbol >= 0) decoded[length++] = symbol;
      state = step >> SYMBOL_BITS;
    }
  }
  if (final[state] === 0) throw badHuffman("its padding is wrong");
  return latin1(decoded, 0, length);
}

function badHuffman(why: string): Http2Error {
  return new Http2Error(
    "COMPRESSION_ERROR",
    `a Huffman-coded string in the header block is malformed: ${why}`,
  );
}
