/** A template with one brace on each side; its name is captured. */
export const ONE_BRACE = new RegExp(
  String.raw`(?<![{$#])\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}(?!\})`,
  "g",
);

/** The way out of a template that is none; with spaces in one brace it comes from an f-string. */
export function asTemplate(written: string, reference: string): string {
  const way = `for a value write {{ ${reference} }}`;
  return /^\{\s/.test(written)
    ? `${way}, in an f-string of Python {{{{ ${reference} }}}}`
    : way;
}
