/** Text that is HTML already. Only JSX makes it, so that nothing else can be. */
export class Markup {
  constructor(readonly text: string) {}
}

/** What JSX may hold as content: text is escaped, nothing and `false` vanish. */
export type Piece =
  | string
  | number
  | Markup
  | false
  | null
  | undefined
  | readonly Piece[];

/** A piece as HTML. */
export function markupOf(piece: Piece): string {
  if (piece === undefined || piece === null || piece === false) return "";
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === "string") return escapeHtml(piece);
  if (typeof piece === "number") return String(piece);
  let text = "";
  for (const each of piece) text += markupOf(each);
  return text;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/*
 * Besides what is special in HTML: controls and bidirectional controls, which
 * can make a payload read as what it is not, and halves of a surrogate pair.
 */
const SPECIAL =
  // deno-lint-ignore no-control-regex
  /[&<>"'\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu;

/** `text` as HTML text or attribute value; what must not be printed shows as `\u{1b}`. */
export function escapeHtml(text: string): string {
  return text.replaceAll(
    SPECIAL,
    (char) =>
      char === "\r"
        ? ""
        : ENTITIES[char] ?? `\\u{${char.codePointAt(0)!.toString(16)}}`,
  );
}
