/** Text that is HTML already. Only `html` makes it, so that nothing else can be. */
export class Markup {
  constructor(readonly text: string) {}
}

/** What may stand in a template: text is escaped, nothing and `false` vanish. */
export type Piece =
  | string
  | number
  | Markup
  | false
  | null
  | undefined
  | readonly Piece[];

/** HTML in which everything put in is text, unless `html` made it. */
export function html(
  parts: TemplateStringsArray,
  ...pieces: readonly Piece[]
): Markup {
  const fixed = narrowed(parts);
  let text = fixed[0]!;
  for (let i = 0; i < pieces.length; i++) {
    text += markupOf(pieces[i]) + fixed[i + 1]!;
  }
  return new Markup(text);
}

const known = new WeakMap<TemplateStringsArray, readonly string[]>();

/** A template's own text without its indentation, worked out once. */
function narrowed(parts: TemplateStringsArray): readonly string[] {
  let fixed = known.get(parts);
  if (!fixed) {
    fixed = parts.map((part) => part.replaceAll(/\n\s*/g, "\n"));
    known.set(parts, fixed);
  }
  return fixed;
}

function markupOf(piece: Piece): string {
  if (piece === undefined || piece === null || piece === false) return "";
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === "string") return escapeHtml(piece);
  if (typeof piece === "number") return String(piece);
  return piece.map(markupOf).join("");
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
