import fc from "fast-check";

/*
 * Random JSON paths, right and wrong, and values to look into.
 */

const NAMES = "a b c é 0 1 length - x-y _ $ @ ' \"".split(" ").concat(
  "",
  "a b",
);

/** Segments, one a line; some are none. */
const SEGMENTS = String.raw`
.a
.b
.é
.x-y
._
.length
.*
..*
..a
..[0]
[0]
[-1]
[01]
[-0]
[99999999999999999999]
[*]
['a']
["b"]
['a b']
['0']
['length']
['\'']
["\""]
['\u0061']
['\ud83d']
['a','b']
[0,1]
[0,0]
[*,*]
['a' , 0 , *]
[:]
[1:]
[::-1]
[0:2:0]
[1:0:-1]
[1:2:3:4]
 .a
. a
.1
.a.
.
[a]
[
[?@]
[?@.a==1]
[?@.a == 'abc']
[?@.a!=1]
[?@<2]
[?@>='a']
[?@.a==1E+2]
[?@.a==-0]
[?@.a==01]
[?@.a==1.]
[?@==null]
[?@==true]
[?@.a=="\u0061bc"]
[?!@.a]
[?!!@.a]
[?!(@.a==1)]
[?!@.a==1]
[?!1]
[?(@.a)==1]
[?(@.a==1)==true]
[?1==!@.a]
[?@.a==1==1]
[?@.a&&@.b]
[?@.a == 1 && (@.b > 0 || @.c)]
[?@.a==@.b]
[?@.a==$.a]
[?@['a']==1]
[?@.*]
[?@.*==1]
[?@.a,?@.b]
[?@[?@.a]]
[?1==1]
[?'a']
[?true]
[?@.a=1]
[?@.a=~/x/]
[?@.a in [1]]
[?@.a == [1]]
[?()]
[?@.a&&]
[?length(@)>1]
[?length(@.a)==3]
[?length(@.*)>1]
[?length(@)]
[?count(@.*)>1]
[?count(1)>1]
[?value(@..a)==1]
[?foo(@)]
[?match(@.a,'a.*')]
[?match(@,'[a-z]+')]
[?match(@,'4.')]
[?match(@,'\\p{L}+')]
[?match(@,'a{2,1}')]
[?match(@,'\\d')]
[?match(@,'a')==true]
[?match(@)]
[?search(@,'^a')]
[?search(@,'c$')]
[?search(@.a,@.b)]
[?search(@,'[^\\p{Ll}\\-x-z]')]
[?search(@,'(b|😀)+')]
`.trim().split("\n");

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, 1, -1, 1.5, 42, 1e21),
    fc.constantFrom("", "a", "abc", "42", "ab\nc", "É", ".", "😀"),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie("value"), { maxKeys: 4 }),
  ),
})).value;

/** A path, or what looks like one, and values to look into. */
export const randomPath: fc.Arbitrary<[path: string, values: unknown[]]> = fc
  .tuple(
    fc.array(fc.constantFrom(...SEGMENTS), { minLength: 1, maxLength: 3 })
      .map((segments) => `$${segments.join("")}`),
    fc.array(value, { minLength: 4, maxLength: 4 }),
  );
