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

/** Terminal columns of one character. */
export function charColumns(char: string): number {
  const point = char.codePointAt(0)!;
  if (point < 0x300) return 1;
  if (/^[\p{Mn}\p{Me}\p{Cf}]$/u.test(char)) return 0;
  return WIDE.some(([from, to]) => point >= from && point <= to) ? 2 : 1;
}

/** Terminal columns of a text without control characters. */
export function textColumns(text: string): number {
  let columns = 0;
  for (const char of text) columns += charColumns(char);
  return columns;
}

/** A text with spaces behind it, up to so many columns. */
export function padColumns(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - textColumns(text)));
}
