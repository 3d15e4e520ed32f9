/** One character as a terminal shows it. */
export interface Cell {
  /** What is printed: the character, or an escape for one that must not be. */
  readonly text: string;
  /** Terminal columns; a tab counts 1 here and is repeated in the caret line. */
  readonly width: number;
  /** UTF-16 index in the line. */
  readonly index: number;
}

/** A line as cells: control and bidirectional characters are escaped. */
export function cellsOf(line: string): Cell[] {
  const cells: Cell[] = [];
  let index = 0;
  for (const char of line) {
    const isPlain = char >= " " && char <= "~" || char === "\t";
    const text = isPlain ? char : escapeControls(char);
    const width = isPlain ? 1 : text === char ? widthOf(char) : text.length;
    cells.push({ text, width, index });
    index += char.length;
  }
  return cells;
}

/*
 * C0 and C1 controls, line and paragraph separators, bidirectional controls
 * (they can make a line read as what it is not), lone surrogates; and what looks
 * like a space or like nothing, so that two texts that differ look different.
 */
const UNPRINTABLE =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]|\p{Cs}/gu;

/** `text` with everything a terminal would obey shown as `\u{1b}`. */
export function escapeControls(text: string): string {
  return text.replaceAll(UNPRINTABLE, (char) => {
    if (char === "\n") return "\\n";
    if (char === "\r") return "\\r";
    if (char === "\t") return "\\t";
    return `\\u{${char.codePointAt(0)!.toString(16)}}`;
  });
}

/** Unicode Standard Annex 11, wide and full-width blocks. */
const WIDE: readonly (readonly [from: number, to: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

function widthOf(char: string): number {
  const point = char.codePointAt(0)!;
  if (point < 0x300) return 1;
  if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(char)) return 0;
  return WIDE.some(([from, to]) => point >= from && point <= to) ? 2 : 1;
}
