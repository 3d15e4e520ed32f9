import fc from "fast-check";

/** @param bits separated by one space */
const pieces = (bits: string) => bits.split(" ");

const LEAVES = pieces(
  String
    .raw`a b c . \w \W \d \s [ab] [^a] [] [^] \b \B ^ $ é \n \u0061 \x62 \cJ 😀 (?i:aB) (?i:É) (?s:.) (?m:^a$) { ] , -`,
);
const QUANTIFIERS = pieces(
  "* + ? *? +? ?? {2} {0,2} {1,} {2,3}? {0} {0,} {3}",
);
const GROUPS = pieces("( (?: (?= (?! (?<= (?<! (?i: (?m: (?s: (?i-s:");

/** A pattern that is right, has no back references, and nests everything. */
export const randomPattern: fc.Arbitrary<string> = fc.letrec((tie) => {
  const inner = tie("pattern") as fc.Arbitrary<string>;
  const both = fc.tuple(inner, inner);
  return {
    pattern: fc.oneof(
      { depthSize: "medium", maxDepth: 5 },
      fc.constantFrom(...LEAVES),
      fc.array(inner, { maxLength: 3 }).map((each) => each.join("")),
      both.map(([a, b]) => `(?:${a}|${b})`),
      both.map(([a, b]) => `${a}|${b}`),
      ...GROUPS.map((open) => inner.map((each) => `${open}${each})`)),
      ...QUANTIFIERS.map((sign) => inner.map((each) => `(?:${each})${sign}`)),
    ),
  };
}).pattern as fc.Arbitrary<string>;

/** A text that such patterns have to do with. */
export const randomText: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(
    ...pieces("a b c A B é É 😀 _ 1 { - ,"),
    " ",
    "\n",
    "\u2028",
    "\ud83d",
  ),
  maxLength: 12,
});
