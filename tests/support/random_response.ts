import { Buffer } from "node:buffer";
import { deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { lists, longList, objects, twins } from "./hostile_bodies.ts";

const depth = fc.integer({ min: 0, max: 30_000 });

const scalar = fc.constantFrom(
  ..."0 -0 1e400 -1e-400 12345678901234567890 true null 1.10".split(" "),
  '"\\ud800"',
  '"\\u0000"',
  '""',
  '"aaaaaaaaaaaaaaaaaaaaaaaaaaaa!"',
  `"${"a".repeat(70_000)}!"`,
);

const key = fc.constantFrom(
  ..."a b data errors message path token __proto__ constructor length 0".split(
    " ",
  ),
  "",
);

/** JSON text of the kind that breaks programs. */
const json: fc.Arbitrary<string> = fc.letrec((tie) => {
  const inner = tie("json") as fc.Arbitrary<string>;
  return {
    json: fc.oneof(
      { depthSize: "small" },
      { arbitrary: scalar, weight: 3 },
      depth.map(lists),
      depth.map((each) => objects(each)),
      fc.integer({ min: 1, max: 3_000 }).map(twins),
      fc.integer({ min: 1, max: 200_000 }).map(longList),
      fc.array(inner, { maxLength: 3 }).map((each) => `[${each.join(",")}]`),
      fc.array(fc.tuple(key, inner), { maxLength: 4 }).map((each) =>
        `{${
          each.map(([name, value]) => `${JSON.stringify(name)}:${value}`)
            .join(",")
        }}`
      ),
    ),
  };
}).json as fc.Arbitrary<string>;

/** A text of a message: JSON, JSON with a part missing, or something else. */
export const randomText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: json, weight: 6 },
  fc.tuple(json, fc.nat()).map(([text, at]) =>
    text.slice(0, at % (text.length + 1))
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
);

const coded: Readonly<Record<string, (body: Buffer) => Uint8Array>> = {
  gzip: (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  br: (body) => body,
  identity: (body) => body,
};

const field = fc.constantFrom(
  "Content-Type: application/json",
  "Content-Type: text/html; charset=utf-16",
  'Content-Type: ; charset="',
  "Retry-After: Sun Nov  6 08:49:37 1994",
  "Retry-After: 99999999999999999999",
  "Transfer-Encoding: chunked",
  "Content-Length: 5",
  "Connection: close",
  "Location: \xff",
  ": nothing",
  "X: \x01",
);

const statusLine = fc.oneof(
  { arbitrary: fc.constant("HTTP/1.1 200 OK"), weight: 8 },
  fc.constantFrom(
    "HTTP/1.1 429 ",
    "HTTP/1.1 503 x",
    "HTTP/1.1 204 No Content",
    "HTTP/1.1 100 Continue",
    "HTTP/1.0 200",
    "HTTP/9.9 200 OK",
    "",
    "\0",
  ),
);

/** Mostly nothing. */
const seldom = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 5 }, value);

/** Bytes of a response that ends with its connection. */
export const randomResponse: fc.Arbitrary<Uint8Array> = fc.record({
  line: statusLine,
  fields: fc.oneof(
    { arbitrary: fc.constant([]), weight: 3 },
    fc.array(field, { maxLength: 3 }),
  ),
  coding: seldom(fc.constantFrom(...Object.keys(coded))),
  body: fc.oneof(
    { arbitrary: randomText.map((text) => Buffer.from(text)), weight: 5 },
    fc.uint8Array({ maxLength: 50 }).map((each) => Buffer.from(each)),
  ),
  cut: seldom(fc.nat()),
}).map(({ line, fields, coding, body, cut }) => {
  const head = [
    line,
    ...fields,
    ...(coding === undefined ? [] : [`Content-Encoding: ${coding}`]),
  ].join("\r\n");
  const whole = Buffer.concat([
    Buffer.from(`${head}\r\n\r\n`, "latin1"),
    coding === undefined ? body : coded[coding]!(body),
  ]);
  return cut === undefined ? whole : whole.subarray(0, cut % whole.length);
});
