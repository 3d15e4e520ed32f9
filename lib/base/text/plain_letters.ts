/** The text with its letters as plain ones, where they have such: `é` is `e`, `ß` is `ss`. */
export function plainLetters(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}+/gu, "").replaceAll(
    "ß",
    "ss",
  );
}
