import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import { ByteWriter } from "../../../../lib/wire/http2/frames/byte_writer.ts";
import { HpackDecoder } from "../../../../lib/wire/http2/hpack/decoder.ts";
import {
  FieldBlock,
  HpackEncoder,
  type RequestField,
} from "../../../../lib/wire/http2/hpack/encoder.ts";

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(
    hex.replaceAll(/\s/g, "").match(/../g) ?? [],
    (pair) => parseInt(pair, 16),
  );
}

function decode(decoder: HpackDecoder<never>, hex: string) {
  const block = bytes(hex);
  return decoder.decode(block, 0, block.length).fields;
}

const fresh = (most = 65_536) => new HpackDecoder<never>(4_096, most);

const [FIRST, SECOND, THIRD] = [
  [[":method", "GET"], [":scheme", "http"], [":path", "/"], [
    ":authority",
    "www.example.com",
  ]],
  [[":method", "GET"], [":scheme", "http"], [":path", "/"], [
    ":authority",
    "www.example.com",
  ], ["cache-control", "no-cache"]],
  [[":method", "GET"], [":scheme", "https"], [":path", "/index.html"], [
    ":authority",
    "www.example.com",
  ], ["custom-key", "custom-value"]],
];

Deno.test("HPACK decodes the requests of RFC 7541 appendix C.3, without Huffman", () => {
  const decoder = fresh();
  deepStrictEqual(
    decode(decoder, "828684410f7777772e6578616d706c652e636f6d"),
    FIRST,
  );
  deepStrictEqual(decode(decoder, "828684be58086e6f2d6361636865"), SECOND);
  deepStrictEqual(
    decode(
      decoder,
      "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565",
    ),
    THIRD,
  );
});

Deno.test("HPACK decodes the requests of RFC 7541 appendix C.4, with Huffman", () => {
  const decoder = fresh();
  deepStrictEqual(decode(decoder, "828684418cf1e3c2e5f23a6ba0ab90f4ff"), FIRST);
  deepStrictEqual(decode(decoder, "828684be5886a8eb10649cbf"), SECOND);
  deepStrictEqual(
    decode(decoder, "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf"),
    THIRD,
  );
});

Deno.test("HPACK decodes the responses of RFC 7541 appendix C.6: entries leave a table of 256 bytes", () => {
  const decoder = fresh();
  const size = "3fe101";
  const [date, url] = [
    "Mon, 21 Oct 2013 20:13:21 GMT",
    "https://www.example.com",
  ];
  deepStrictEqual(
    decode(
      decoder,
      `${size}488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3`,
    ),
    [[":status", "302"], ["cache-control", "private"], ["date", date], [
      "location",
      url,
    ]],
  );
  deepStrictEqual(decode(decoder, "4883640effc1c0bf"), [
    [":status", "307"],
    ["cache-control", "private"],
    ["date", date],
    ["location", url],
  ]);
  deepStrictEqual(
    decode(
      decoder,
      "88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007",
    ),
    [
      [":status", "200"],
      ["cache-control", "private"],
      ["date", "Mon, 21 Oct 2013 20:13:22 GMT"],
      ["location", url],
      ["content-encoding", "gzip"],
      [
        "set-cookie",
        "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
      ],
    ],
  );
});

for (
  const [what, hex, expected] of [
    ["index 0", "80", /no field with the index 0/],
    ["an index beyond both tables", "be", /no field with the index 62/],
    ["a block that ends in a number", "ff", /cut short/],
    ["a number that goes on and on", "ffffffffffffff7f", /too long/],
    ["a string longer than the block", "4005616263", /cut short/],
    ["Huffman padding that is not ones", "00811800", /its padding is wrong/],
    ["a table size above what was announced", "3fe21f", /table size of 4097/],
    ["a table size after a field", "8220", /comes too late/],
    ["the end-of-string symbol", "0084ffffffff00", /end-of-string/],
    ["eight bits of padding", "00821fff00", /its padding is wrong/],
  ] as const
) {
  Deno.test(`HPACK refuses ${what}`, () => {
    throws(() => decode(fresh(), hex), expected);
  });
}

Deno.test("HPACK: a small block that stands for a huge list is refused", () => {
  // One entry of 4,000 bytes, then a thousand references to it.
  const value = "61".repeat(3_900);
  const bomb = `400161 7f${"bd1d"}${value}${"be".repeat(1_000)}`;
  throws(() => decode(fresh(100_000), bomb), /more than 100000 bytes/);
});

Deno.test("HPACK: the same block gives the same list, until the table changes", () => {
  const decoder = fresh();
  const once = decode(decoder, "8287");
  strictEqual(decode(decoder, "8287"), once);
  decode(decoder, "400161 0162");
  deepStrictEqual(decode(decoder, "be82"), [["a", "b"], [":method", "GET"]]);
  decode(decoder, "400163 0164");
  deepStrictEqual(decode(decoder, "be82"), [["c", "d"], [":method", "GET"]]);
});

Deno.test("HPACK: values that come again and again are decoded once", () => {
  const decoder = fresh();
  // A literal without indexing: it is read anew in every block.
  const blocks = Array.from(
    { length: 20 },
    (_, at) => "0001780a" + `value ${1_000 + at}`.replace(/./g, hexOf),
  );
  const round = () => blocks.map((block) => decode(decoder, block)[0]!);
  round();
  const kept = round();
  round().forEach((each, at) => strictEqual(each, kept[at]));
});

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16);
}

const field: fc.Arbitrary<RequestField> = fc.record({
  name: fc.constantFrom(
    ":path",
    "x-a",
    "x-b",
    "cookie",
    "authorization",
    "user-agent",
  ),
  value: fc.oneof(
    fc.constantFrom("", "a", "the same value every time"),
    fc.string({ maxLength: 80 }),
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.string({ minLength: 2_000, maxLength: 5_000 }),
  ),
  literal: fc.constantFrom("once", "never", undefined),
}).map(({ name, value, literal }) =>
  literal ? { name, value, literal } : { name, value }
);

const asBytes = (value: string) =>
  [...new TextEncoder().encode(value)].map((byte) => String.fromCharCode(byte))
    .join("");

Deno.test("HPACK: fields that are written out in every block give the same list, and leave the table in order", () => {
  const decoder = fresh();
  // Literals with indexing, as nginx writes them: server, date.
  const block = "887604746573746108" + "6f6e652064617465";
  const first = decode(decoder, block);
  deepStrictEqual(first, [
    [":status", "200"],
    ["server", "test"],
    ["date", "one date"],
  ]);
  const again = decode(decoder, block);
  deepStrictEqual(again, first);
  for (let each = 0; each < 500; each++) {
    strictEqual(decode(decoder, block), again);
  }
  // The newest entries of the table: the date, then the server.
  deepStrictEqual(decode(decoder, "bebf"), [
    ["date", "one date"],
    ["server", "test"],
  ]);
  const other = decode(decoder, block.replace("6f6e65", "74776f"));
  deepStrictEqual(other[2], ["date", "two date"]);
});

Deno.test("HPACK: what is encoded is decoded, block after block, whatever the table size", () => {
  const block = fc.array(field, { maxLength: 8 });
  const step = fc.oneof(block, fc.constantFrom(0, 100, 4_096, 65_536));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const encoder = new HpackEncoder();
      const decoder = fresh(10_000_000);
      const blocks = new Map<RequestField[], FieldBlock>();
      for (const each of [...steps, ...steps]) {
        if (typeof each === "number") {
          encoder.setTableSize(each);
          continue;
        }
        const known = blocks.get(each) ?? new FieldBlock(each);
        blocks.set(each, known);
        const out = new ByteWriter(8);
        encoder.encode([known, ...each.slice(0, 2)], out);
        deepStrictEqual(
          decoder.decode(out.bytes, 0, out.length).fields.map((
            [name, value],
          ) => [name, value]),
          [...each, ...each.slice(0, 2)].map((
            { name, value },
          ) => [name, asBytes(value)]),
        );
      }
    }),
    { numRuns: 200, seed: 9113 },
  );
});

Deno.test("HPACK: bytes with long codes come back from between short ones, at every place in a byte", () => {
  const encoder = new HpackEncoder();
  const decoder = fresh();
  const points = [...Array(0x800).keys(), 0x800, 0xffff, 0x10000, 0x10ffff];
  for (const point of points) {
    const value = "e".repeat(64 + point % 8) + String.fromCodePoint(point) +
      "e";
    const out = new ByteWriter();
    encoder.encode([{ name: "x-a", value, literal: "once" }], out);
    const { fields } = decoder.decode(out.bytes, 0, out.length);
    deepStrictEqual(fields, [["x-a", asBytes(value)]]);
    // Five bits a letter: the code was used.
    ok(out.length < value.length);
  }
});

Deno.test("HPACK: fields that repeat shrink to an index, credentials never enter the table", () => {
  const encoder = new HpackEncoder();
  const size = (fields: RequestField[]) => {
    const out = new ByteWriter();
    encoder.encode(fields, out);
    return out.length;
  };
  const agent = { name: "user-agent", value: "bench/0.1.0" };
  const secret = {
    name: "authorization",
    value: "Bearer abc",
    literal: "never",
  } as const;
  const first = size([agent]);
  ok(first > 5);
  strictEqual(size([agent]), 1);
  strictEqual(size([secret]), size([secret]));
});
