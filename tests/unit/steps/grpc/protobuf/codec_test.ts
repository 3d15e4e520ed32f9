import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import {
  type Codec,
  compileCodec,
  MessageError,
} from "../../../../../lib/steps/grpc/protobuf/codec.ts";
import type { JsonValue } from "../../../../../lib/base/values/json.ts";
import { schemaOf } from "./schema_of.ts";

const ALL = `syntax = "proto3";
package a;
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
enum State { UNKNOWN = 0; OPEN = 1; }
message Inner { string name = 1; int32 n = 2; }
message All {
  int32 small = 1;
  int64 large = 2;
  uint64 huge = 3;
  float single = 4;
  double precise = 5;
  bool flag = 6;
  string text = 7;
  bytes raw = 8;
  State state = 9;
  Inner inner = 10;
  repeated Inner inners = 11;
  map<string, int64> counts = 12;
  map<int64, Inner> by_id = 13;
  optional int32 maybe = 14;
  oneof choice { string left = 15; int32 right = 16; }
  google.protobuf.Timestamp at = 17;
  google.protobuf.Duration span = 18;
  google.protobuf.Any any = 19;
  google.protobuf.Struct free = 20;
  google.protobuf.Int64Value boxed = 21;
  google.protobuf.FieldMask mask = 22;
  All self = 23;
  string odd_name = 24 [json_name = "other"];
  google.protobuf.FloatValue boxed_float = 25;
}
`;

const { schema } = await schemaOf({ "all.proto": ALL });
const type = schema!.root.lookupType("a.All");
const codec: Codec = compileCodec(
  { path: "/a.S/M", request: type, response: type },
  schema!.library,
);
const through = (json: JsonValue) =>
  codec.toJson(codec.decode(codec.encode(JSON.stringify(json)))) as Record<
    string,
    JsonValue
  >;

const DEFAULTS = {
  small: 0,
  large: "0",
  huge: "0",
  single: 0,
  precise: 0,
  flag: false,
  text: "",
  raw: "",
  state: "UNKNOWN",
  inners: [],
  counts: {},
  byId: {},
  other: "",
};

Deno.test("toJson() writes fields without presence with their defaults, and no others", () => {
  deepStrictEqual(codec.toJson(codec.decode(new Uint8Array(0))), DEFAULTS);
});

const VALUES:
  readonly (readonly [rule: string, json: Record<string, JsonValue>])[] = [
    ["the largest integers", {
      large: "-9223372036854775808",
      huge: "18446744073709551615",
    }],
    ["a float as it was written", { single: 0.1 }],
    ["numbers JSON does not have", { precise: "NaN", single: "-Infinity" }],
    ["bytes and enums", { raw: "AQL/", state: "OPEN" }],
    ["an enum value the schema does not know", { state: 7 }],
    ["messages with their own defaults", {
      inner: { name: "", n: 0 },
      inners: [{ name: "x", n: 1 }],
    }],
    ["maps, by large keys too", {
      counts: { a: "1", __proto__x: "2" },
      byId: { "9007199254740993": { name: "", n: 3 } },
    }],
    ["an optional field that is 0", { maybe: 0 }],
    ["a member of a oneof that is empty", { left: "" }],
    ["times", { at: "2026-01-31T12:00:00.500Z", span: "-1.500s" }],
    ["any JSON", { free: { a: [1, null, "x"] } }],
    ["boxed values", { boxed: "5", boxedFloat: 0.1, mask: "a,bC" }],
    ["a message of any type, with defaults", {
      any: { "@type": "type.googleapis.com/a.Inner", name: "x", n: 0 },
    }],
    ["a well-known type in an Any", {
      any: {
        "@type": "type.googleapis.com/google.protobuf.Duration",
        value: "1s",
      },
    }],
    ["a field with a JSON name of its own", { other: "x" }],
  ];

for (const [rule, json] of VALUES) {
  Deno.test(`encode() and toJson() agree on ${rule}`, () => {
    deepStrictEqual(through(json), { ...DEFAULTS, ...json });
  });
}

Deno.test("toJson() writes a type that holds itself", () => {
  deepStrictEqual(through({ self: { small: 1 } }).self, {
    ...DEFAULTS,
    small: 1,
  });
});

Deno.test("encode() refuses an Any that does not say its type", () => {
  throws(
    () => codec.encode('{"self":{"any":{"name":"x"}}}'),
    {
      name: "MessageError",
      message:
        "a `google.protobuf.Any` must be a mapping whose `@type` names a message of the schema, but it is a mapping with `name` (at self.any)",
    },
  );
});

Deno.test("toJson() shows the bytes of an Any whose type it does not know", () => {
  const bytes = codec.encode("{}");
  strictEqual(bytes.length, 0);
  const unknown = type.encode({
    any: { type_url: "x.y/a.Other", value: Uint8Array.of(1) },
  }).finish();
  deepStrictEqual(
    (codec.toJson(codec.decode(unknown)) as Record<string, JsonValue>).any,
    { "@type": "x.y/a.Other", value: "AQ==" },
  );
});

/** Messages without a JSON form, as the library's own objects. */
const FORMLESS: readonly (readonly [
  what: string,
  message: Record<string, unknown>,
  why: string,
])[] = [
  [
    "a Timestamp beyond the year 9999",
    { at: { seconds: 253402300800 } },
    "google.protobuf.Timestamp out of range",
  ],
  [
    "a Duration of 10,001 years",
    { span: { seconds: 315576000001 } },
    "google.protobuf.Duration out of range",
  ],
  [
    "a FieldMask that is not snake_case",
    { mask: { paths: ["fooBar"] } },
    "google.protobuf.FieldMask path does not round-trip: fooBar",
  ],
  [
    "a Value that is not a number",
    { free: { fields: { a: { numberValue: NaN } } } },
    "google.protobuf.Value cannot hold a non-finite number",
  ],
  [
    "an Any whose bytes are not of its type",
    { any: { type_url: "x/a.Inner", value: Uint8Array.of(0x0a, 9) } },
    "its google.protobuf.Any does not hold `a.Inner`: index out of range: 2 + 9 > 2",
  ],
  [
    "an Any in an Any, 200 times",
    { any: nested(200) },
    "it is nested too deeply",
  ],
];

function nested(levels: number): Record<string, unknown> {
  const any = schema!.root.lookupType("google.protobuf.Any");
  let inner: Record<string, unknown> = {};
  for (let level = 0; level < levels; level++) {
    const value = any.encode(inner).finish();
    inner = { type_url: "x/google.protobuf.Any", value };
  }
  return inner;
}

for (const [what, message, why] of FORMLESS) {
  Deno.test(`toJson() refuses ${what}`, () => {
    const bytes = type.encode(message).finish();
    throws(
      () => codec.toJson(codec.decode(bytes)),
      new MessageError(`the message has no JSON form: ${why}`),
    );
  });
}

Deno.test("encode() names the field that does not fit", () => {
  throws(() => codec.encode('{"inner":{"n":1.5}}'), {
    name: "MessageError",
    message: "`n` must be an int32, but it is the number 1.5 (at inner.n)",
  });
  throws(() => codec.encode('{"nothing":1}'), {
    name: "MessageError",
    message: "`a.All` has no field `nothing`",
  });
});

Deno.test("what encode() takes comes back from toJson()", () => {
  const message = fc.record({
    small: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    large: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    single: fc.float({ noNaN: true, noDefaultInfinity: true })
      .filter((each) => !Object.is(each, -0)),
    precise: fc.double({ noNaN: true, noDefaultInfinity: true })
      .filter((each) => !Object.is(each, -0)),
    flag: fc.boolean(),
    text: fc.string({ unit: "grapheme" }),
    counts: fc.dictionary(
      fc.string(),
      fc.bigInt({ min: 0n, max: 2n ** 62n }).map(String),
    ),
  });
  fc.assert(fc.property(message, (json) => {
    const { single, ...back } = through(json);
    const { single: sent, ...rest } = json;
    const { single: _, ...defaults } = DEFAULTS;
    deepStrictEqual(back, { ...defaults, ...rest, counts: { ...rest.counts } });
    strictEqual(Math.fround(Number(single)), sent);
  }));
});

Deno.test("toJson() writes a float as the shortest text of that float", () => {
  const floats = [
    [99999997952, "100000000000"],
    [-99999997952, "-100000000000"],
    [Math.fround(3.4028235e38), "3.4028235e+38"],
    [Math.fround(1.4e-45), "1e-45"],
    [Math.fround(1.17549435e-38), "1.1754944e-38"],
    [123456792, "123456790"],
    [16777216, "16777216"],
    [0.10000000149011612, "0.1"],
    [0, "0"],
  ] as const;
  for (const [single, text] of floats) {
    const bytes = type.encode({ single }).finish();
    const json = codec.toJson(codec.decode(bytes)) as { single: number };
    strictEqual(String(json.single), text);
    strictEqual(Math.fround(json.single), single, text);
  }
});

/** proto2 as protoc names it; the bytes and names below are protoc's. */
const PROTO2 = `syntax = "proto2";
package p2;
message Req {
  required string name = 1;
  optional group Result = 2 {
    required int32 a_b = 1;
    optional string title = 2 [json_name = "T"];
  }
  repeated group MultiWord = 3 { optional float f = 1; }
  optional Inner inner = 4;
  map<string, Inner> inners = 7;
  extensions 100 to 199;
}
message Inner { required int32 must = 1; optional Inner next = 2; }
extend Req {
  optional string some_ext = 100;
  optional group ExtGroup = 101 { optional int32 q = 1; }
}
message Scope { extend Req { optional Inner in_scope = 102; } }
`;
const reading = await schemaOf({ "p2.proto": PROTO2 });
const request = reading.schema!.root.lookupType("p2.Req");
const proto2 = compileCodec(
  { path: "/p2.S/M", request, response: request },
  reading.schema!.library,
);

Deno.test("toJson() and encode() name groups and extensions as protoc does", () => {
  const hex =
    "0a0178130801120174141b0d0000c03f1c22020803a2060165ab060804ac06b206020809";
  const json = {
    name: "x",
    result: { aB: 1, T: "t" },
    multiword: [{ f: 1.5 }],
    inner: { must: 3 },
    "[p2.some_ext]": "e",
    "[p2.extgroup]": { q: 4 },
    "[p2.Scope.in_scope]": { must: 9 },
  };
  const bytes = Uint8Array.fromHex(hex);
  deepStrictEqual(proto2.toJson(proto2.decode(bytes)), { ...json, inners: {} });
  deepStrictEqual(
    proto2.toJson(proto2.decode(proto2.encode(JSON.stringify(json)))),
    { ...json, inners: {} },
  );
});

Deno.test("encode() refuses a message without a required field, wherever it is", () => {
  const name = "x";
  const table: [json: JsonValue, missing: string][] = [
    [{}, "p2.Req.name"],
    [{ name, inner: {} }, "p2.Inner.must"],
    [{ name, inner: { must: 1, next: {} } }, "p2.Inner.must"],
    [{ name, inners: { a: { must: 1 }, b: {} } }, "p2.Inner.must"],
    [{ name, result: { T: "t" } }, "p2.Req.Result.a_b"],
  ];
  for (const [json, missing] of table) {
    throws(
      () => proto2.encode(JSON.stringify(json)),
      new MessageError(`the required field \`${missing}\` is missing`),
    );
  }
});

Deno.test("encode() keeps the digits of integers beyond 2^53, as numbers and as strings", () => {
  const json = codec.toJson(codec.decode(codec.encode(`{
    "large": -1234567890123456789,
    "huge": 18446744073709551615,
    "precise": 1234567890123456789,
    "boxed": 9007199254740993,
    "counts": {"a": 9007199254740993, "b": "9007199254740995"},
    "byId": {"9007199254740993": {"name": "n"}},
    "self": {"large": 9007199254740993},
    "free": {"a": [9007199254740993], "b": {"c": "9007199254740993"}}
  }`))) as Record<string, JsonValue>;
  deepStrictEqual(
    ["large", "huge", "precise", "boxed", "counts", "byId", "free"].map((
      field,
    ) => json[field]),
    [
      "-1234567890123456789",
      "18446744073709551615",
      1234567890123456800,
      "9007199254740993",
      { a: "9007199254740993", b: "9007199254740995" },
      { "9007199254740993": { name: "n", n: 0 } },
      { a: [9007199254740992], b: { c: "9007199254740993" } },
    ],
  );
  strictEqual(
    (json.self as Record<string, JsonValue>).large,
    "9007199254740993",
  );
});

Deno.test("encode() takes an integer beyond 2^53 in a message in an Any", () => {
  const type = "type.googleapis.com/";
  const back = (any: string) =>
    (codec.toJson(codec.decode(codec.encode(`{"any":${any}}`))) as {
      any: Record<string, JsonValue>;
    }).any;
  strictEqual(
    back(`{"@type":"${type}a.All","large":9007199254740993}`).large,
    "9007199254740993",
  );
  strictEqual(
    back(
      `{"@type":"${type}google.protobuf.Int64Value","value":9007199254740993}`,
    ).value,
    "9007199254740993",
  );
});

Deno.test("encode() takes the largest float as toJson() writes it", () => {
  const json = { single: 3.4028235e38, boxedFloat: -3.4028235e38 };
  const { single, boxedFloat } = through(json);
  deepStrictEqual({ single, boxedFloat }, json);
  throws(() => codec.encode('{"single":3.4028236e+38}'), {
    message:
      "`single` must be a float, but it is the integer 3.4028236e+38: it is out of range",
  });
});

Deno.test("encode() refuses an integer beyond 2^53 where no number goes, with its digits", () => {
  for (const field of ["text", "raw", "flag", "state", "inner", "inners"]) {
    throws(
      () => codec.encode(`{"${field}":9007199254740993}`),
      (error: unknown) =>
        error instanceof MessageError &&
        !error.message.includes("9007199254740992"),
      field,
    );
  }
  throws(() => codec.encode('{"large":92233720368547758080}'), {
    message: /out of range/,
  });
});
