const NAMED: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
const ESCAPE =
  /\\(?:u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|x([0-9a-fA-F]{1,2})|([0-7]{1,3})|([\s\S]))/g;

/** What `$'...'` of bash stands for. */
export function ansiText(text: string): string {
  const plain = text.replaceAll(
    ESCAPE,
    (_, short, long, byte, octal, other: string | undefined) => {
      const hex = short ?? long ?? byte;
      if (hex !== undefined) return character(parseInt(hex, 16));
      if (octal !== undefined) return character(parseInt(octal, 8));
      return NAMED[other!] ?? other!;
    },
  );
  // Half a character cannot be written into a file.
  return plain.toWellFormed();
}

function character(code: number): string {
  return code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
}
