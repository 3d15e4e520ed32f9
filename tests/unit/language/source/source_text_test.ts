import { equal } from "node:assert/strict";
import { Reader } from "../../../../lib/language/source/reader.ts";
import {
  checkSource,
  decodeSource,
  MAX_FILE_BYTES,
} from "../../../../lib/language/source/source_text.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function decode(input: Uint8Array): [text: string | undefined, found: string] {
  const reader = new Reader("f");
  const text = decodeSource(input, reader);
  const [first] = reader.diagnostics.found;
  return [
    text,
    first
      ? `${first.code} ${first.at.range!.line}:${first.at.range!.column}`
      : "",
  ];
}

Deno.test("decodeSource() drops a byte order mark", () => {
  equal(String(decode(bytes("\ufeffflow: x"))), "flow: x,");
});

Deno.test("decodeSource() takes a file of exactly the limit and no more", () => {
  equal(decode(new Uint8Array(MAX_FILE_BYTES).fill(35))[1], "");
  equal(
    decode(new Uint8Array(MAX_FILE_BYTES + 1).fill(35))[1],
    "file-too-large 1:1",
  );
});

const REFUSED: readonly [why: string, input: number[], found: string][] = [
  ["UTF-16 little endian with a mark", [0xff, 0xfe, 97, 0], "not-utf8 1:1"],
  ["UTF-16 big endian with a mark", [0xfe, 0xff, 0, 97], "not-utf8 1:1"],
  ["UTF-16 without a mark", [97, 0, 98, 0], "not-utf8 1:1"],
  [
    "a lone Latin-1 letter, in its place",
    [97, 10, 98, 0xe9, 99],
    "not-utf8 2:2",
  ],
  ["an encoded surrogate", [0xed, 0xa0, 0x80], "not-utf8 1:1"],
  ["an overlong form", [97, 0xc0, 0xaf], "not-utf8 1:2"],
  ["a character cut at the end", [97, 10, 10, 0xe2, 0x82], "not-utf8 3:1"],
];

for (const [why, input, found] of REFUSED) {
  Deno.test(`decodeSource() refuses ${why}`, () => {
    const [text, code] = decode(new Uint8Array(input));
    equal(text, undefined);
    equal(code, found);
  });
}

Deno.test("checkSource() counts bytes and not characters", () => {
  const reader = new Reader("f");
  equal(checkSource("€".repeat(MAX_FILE_BYTES / 3), reader), true);
  equal(checkSource("€".repeat(MAX_FILE_BYTES / 3 + 1), reader), false);
  equal(reader.diagnostics.found[0]!.code, "file-too-large");
});

Deno.test("checkSource() points at a NUL", () => {
  const reader = new Reader("f");
  equal(checkSource("a\nb\0", reader), false);
  const { line, column } = reader.diagnostics.found[0]!.at.range!;
  equal(`${line}:${column}`, "2:2");
});
