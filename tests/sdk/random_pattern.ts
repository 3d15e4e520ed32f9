import fc from "fast-check";

/*
 * Random patterns: whole ones with every construct nested in every other, and
 * bits and pieces in any order, most of which are no patterns at all.
 */

/** @param bits separated by one space; `_` stands for a space */
const pieces = (bits: string) => bits.split(" ");

const PIECES = [
  ...pieces(String.raw`a b c . | | * + ? ) ) ) ) { } ] - ^ $ é É ſ 😀 [😀]`),
  ...pieces(String.raw`{2} {1,2} {0,1} {,2} {2,1} {0} {99999999999} *? +? ??`),
  ...pieces(String.raw`\d \D \w \W \s \S \b \B \/ \- \_ \0 \cA \x61 \u0061`),
  ...pieces(String.raw`\ \A \Z \p{L} \u{61} \x6 \c \01 \8 \1 \2 \3 \k \k< \kx`),
  ...pieces(String.raw`[ [a [ab] [^a] [a-c] [^] [] [\w-.] [z-a] [a-\d] [\d-a]`),
  ...pieces(String.raw`[\b] [\B] [\c1] [\1] [\k] [--a] (a) (?:b) (a|b) (?=a)`),
  ...pieces(String.raw`(?!b) (?<=a) (?<!b) (?<n>a) (?<m>b) \k<n> \k<m> (?i:a)`),
  ...pieces(String.raw`(?i:É) (?s:.) (?m:^a$) ( (?: (?<n> (?= (?<= (?! (?<!`),
  ...pieces(String.raw`(?i: (?m:^ (?i-s: (?-i: (?--: (?ii: (?-: (?x: (?i) (?`),
  ...pieces(String.raw`(?P<n> (?> (?# (?<1> (?<> (?<é> (?<n (?<\u0061> a++`),
  "\u2028",
  " ",
];

const soup = fc.array(fc.constantFrom(...PIECES), {
  minLength: 1,
  maxLength: 7,
}).map((each) => each.join(""));

const leaf = fc.constantFrom(
  ...pieces(
    String.raw`a b c . \w [ab] [^a] \b \B ^ $ \1 \2 \k<n> (?i:aB) é \n`,
  ),
);
const quantifier = fc.constantFrom(
  ...pieces("* + ? *? +? ?? {2} {0,2} {1,} {2,3}? {0}"),
);
const whole = fc.letrec((tie) => {
  const inner = tie("pattern") as fc.Arbitrary<string>;
  const around = (before: string) => inner.map((each) => `${before}${each})`);
  return {
    pattern: fc.oneof(
      { depthSize: "medium", maxDepth: 4 },
      leaf,
      ...pieces("( (?: (?<n> (?= (?! (?<= (?<! (?i: (?m: (?s:").map(around),
      fc.array(inner, { minLength: 2, maxLength: 3 }).map((each) =>
        each.join("")
      ),
      fc.tuple(inner, inner).map(([a, b]) => `(?:${a}|${b})`),
      fc.tuple(inner, inner).map(([a, b]) => `${a}|${b}`),
      fc.tuple(inner, quantifier).map(([each, q]) => `(?:${each})${q}`),
      fc.tuple(inner, quantifier).map(([each, q]) => `(${each})${q}`),
    ),
  };
}).pattern as fc.Arbitrary<string>;

const text = fc.string({
  unit: fc.constantFrom(...pieces("a b c A B é É 😀 _ 1"), " ", "\n"),
  maxLength: 6,
});

/** A pattern, or what looks like one, and texts to try it on. */
export const randomPattern: fc.Arbitrary<[pattern: string, texts: string[]]> =
  fc
    .tuple(
      fc.oneof(soup, whole),
      fc.array(text, { minLength: 5, maxLength: 5 }),
    );
