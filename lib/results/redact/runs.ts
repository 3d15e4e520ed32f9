import { type Edges, edgesOf } from "./cuts.ts";
import { BASE64, HEX } from "./digits.ts";
import { isIntroducer } from "./escape_cursor.ts";

/** Digits of base64 in a row; hexadecimal digits are among them. */
export interface Run {
  readonly from: number;
  readonly to: number;
  /** Without line breaks, as mail and PEM files have them. */
  readonly count: number;
}

/** What a text has that may hide more text. */
interface Runs {
  readonly runs: readonly Run[];
  /** How often two digits are before a space or colon. */
  readonly pairs: number;
  readonly zeros: boolean;
  /** Where escapes may begin. */
  readonly escapes: readonly number[];
  /** Where escapes of quoted-printable may begin: `=` also stands elsewhere. */
  readonly quoted: readonly number[];
}

const DIGIT = 1;
const LINE_BREAK = 2;
const BETWEEN = 4;
const ZERO = 8;
const ESCAPE = 16;
const EQUALS = 32;

const KINDS = new Uint8Array(0x10000);
for (let unit = 0; unit < 128; unit++) {
  if (BASE64[unit]! >= 0) KINDS[unit] = DIGIT;
  else if (unit === 0x0a || unit === 0x0d) KINDS[unit] = LINE_BREAK;
  else if (unit === 0x20 || unit === 0x3a) KINDS[unit] = BETWEEN;
  else if (unit === 0x3d) KINDS[unit] = EQUALS;
  else if (unit === 0) KINDS[unit] = ZERO;
  else if (isIntroducer(unit)) KINDS[unit] = ESCAPE;
}

const NONE: readonly never[] = [];

/**
 * @param least digits of a run that is worth decoding
 * @param edge the same for a run beside a cut
 */
export function findRuns(
  text: string,
  least: number,
  edge: number,
  edges: Edges,
): Runs {
  let runs: Run[] | undefined;
  let escapes: number[] | undefined;
  let quoted: number[] | undefined;
  let pairs = 0;
  let zeros = false;
  let from = 0;
  let count = 0;
  for (let at = 0; at <= text.length; at++) {
    const kind = at < text.length ? KINDS[text.charCodeAt(at)]! : 0;
    if (kind === DIGIT) {
      if (count++ === 0) from = at;
      continue;
    }
    if (kind === LINE_BREAK && count > 0) continue;
    if (count >= least || count >= edge && isBesideCut(text, from, at, edges)) {
      (runs ??= []).push({ from, to: at, count });
    } else if (count === 2 && kind === BETWEEN) pairs++;
    count = 0;
    if (kind === ZERO) zeros = true;
    else if (kind === ESCAPE) (escapes ??= []).push(at);
    else if (kind === EQUALS && mayBeQuoted(text, at)) (quoted ??= []).push(at);
  }
  return {
    runs: runs ?? NONE,
    pairs,
    zeros,
    escapes: escapes ?? NONE,
    quoted: quoted ?? NONE,
  };
}

function isBesideCut(
  text: string,
  from: number,
  to: number,
  edges: Edges,
): boolean {
  const { start, end } = edgesOf(text, from, to, edges);
  return start || end;
}

/** Two hexadecimal digits or a line break follow. */
function mayBeQuoted(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return next === 0x0a || next === 0x0d ||
    HEX[next]! >= 0 && HEX[text.charCodeAt(at + 2)]! >= 0;
}
