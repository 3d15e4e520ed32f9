/*
 * The functions that JSX in the viewer's files is compiled to: an element is HTML at once,
 * and every value in it is escaped. The names are the compiler's.
 */

/** Text that is HTML already. Only JSX makes it, so that nothing else can be. */
export class Markup {
  constructor(readonly text: string) {}
}

/** Content of JSX: text is escaped, nothing and `false` vanish. */
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
function escapeHtml(text: string): string {
  return text.replaceAll(
    SPECIAL,
    (char) =>
      char === "\r"
        ? ""
        : ENTITIES[char] ?? `\\u{${char.codePointAt(0)!.toString(16)}}`,
  );
}

type Attribute =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly (string | false | undefined)[];
type Component<Props> = (props: Props) => Markup | undefined;

/**
 * An element whose own text is known: a value between each two of `parts`. A
 * string among them comes from `jsxAttr` or `jsxEscape`, and is HTML.
 */
export function jsxTemplate(
  parts: readonly string[],
  ...values: readonly (string | Markup | null)[]
): Markup {
  let text = parts[0]!;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    text += (typeof value === "string" ? value : value?.text ?? "") +
      parts[i + 1]!;
  }
  return new Markup(text);
}

/**
 * An attribute; absent when its value is nothing, `false` or an empty list. Of a
 * list, such as classes, those that are something.
 */
export function jsxAttr(name: string, value: Attribute): string {
  if (value === undefined || value === null || value === false) return "";
  if (value === true) return name;
  if (typeof value !== "object") {
    return `${name}="${escapeHtml(String(value))}"`;
  }
  const words = value.filter((each) => each).join(" ");
  return words === "" ? "" : `${name}="${escapeHtml(words)}"`;
}

/** Content of an element, as HTML. */
export const jsxEscape: (piece: Piece) => string = markupOf;

/** A component; what is not one would spread attributes, which nothing here does. */
export function jsx<Props>(component: Component<Props>, props: Props): Markup {
  return component(props) ?? NOTHING;
}

export { jsx as jsxs };

/** Elements without one around them. */
export function Fragment({ children }: { readonly children?: Piece }): Markup {
  return new Markup(markupOf(children));
}

const NOTHING = new Markup("");

type Attributes = Readonly<
  Record<string, Attribute | Piece> & { children?: Piece }
>;

/** The types of what may be in JSX. */
export declare namespace JSX {
  type Element = Markup;
  // deno-lint-ignore no-explicit-any -- a component takes what it takes
  type ElementType = keyof IntrinsicElements | Component<any>;
  interface ElementChildrenAttribute {
    readonly children: unknown;
  }
  type IntrinsicElements = Readonly<Record<HtmlTag | SvgTag, Attributes>>;
}

/** The words of a text with a space between them. */
type Words<Text extends string> = Text extends `${infer First} ${infer Rest}`
  ? First | Words<Rest>
  : Text;

type HtmlTag =
  | Words<"a body button code dd details div dl dt figcaption figure">
  | Words<"form h1 h2 h3 head header html input kbd label li link main">
  | Words<"meta nav ol option p pre progress script section select span strong">
  | Words<"style summary table tbody td template th thead time title tr">
  | Words<"b br em ul">;
type SvgTag = Words<"circle g path rect svg text">;
