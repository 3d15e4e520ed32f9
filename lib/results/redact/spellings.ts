const UTF8 = new TextEncoder();
const BLANK = 0x20;
const PLUS = 0x2b;

/**
 * The units one character of a secret may be written as: code units, the bytes of
 * UTF-8, the bytes of UTF-16 in either order without zeros, such bytes taken for
 * Latin-1 and encoded as UTF-8, and what line ends and spaces become.
 */
export function spellingsOf(character: string): number[][] {
  const units = Array.from(
    { length: character.length },
    (_, i) => character.charCodeAt(i),
  );
  if (units[0] === BLANK) return [units, [PLUS]];
  if (character === "\n") return [units, [0x0d, 0x0a]];
  if (units[0]! < 0x80) return [units];
  const bytes = [[...UTF8.encode(character)]];
  if (units.some((unit) => unit > 0xff)) {
    const low = (unit: number) => unit & 0xff;
    const high = (unit: number) => unit >> 8;
    bytes.push(
      units.flatMap((unit) => [low(unit), high(unit)]),
      units.flatMap((unit) => [high(unit), low(unit)]),
    );
  }
  const twice = bytes.map((each) => [
    ...UTF8.encode(String.fromCharCode(...each)),
  ]);
  return [units, ...bytes, ...twice]
    .map((each) => each.filter((unit) => unit !== 0))
    .flatMap((each) =>
      each.includes(BLANK)
        ? [each, each.map((unit) => unit === BLANK ? PLUS : unit)]
        : [each]
    );
}
