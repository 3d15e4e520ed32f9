import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";
import fc from "fast-check";
import { ContentError, decodeContent } from "../../../lib/wire/content.ts";

const text = "the body ".repeat(50);
const plain = new TextEncoder().encode(text);

const encoders: Record<string, (body: Uint8Array) => Uint8Array> = {
  "gzip": (body) => zlib.gzipSync(body),
  "x-gzip": (body) => zlib.gzipSync(body),
  "GZip": (body) => zlib.gzipSync(body),
  "deflate": (body) => zlib.deflateSync(body),
  "br": (body) => zlib.brotliCompressSync(Buffer.from(body)),
  "identity": (body) => body,
  "": (body) => body,
};

Deno.test("decodeContent takes off each coding", () => {
  for (const [coding, encode] of Object.entries(encoders)) {
    const got = decodeContent(encode(plain), coding);
    assert.equal(new TextDecoder().decode(got), text, coding);
  }
});

Deno.test("decodeContent hands back an unencoded body without copying it", () => {
  assert.equal(decodeContent(plain, undefined), plain);
  assert.equal(decodeContent(plain, "identity"), plain);
});

Deno.test("decodeContent lets an empty body be empty in any coding", () => {
  assert.equal(decodeContent(new Uint8Array(0), "gzip").length, 0);
});

Deno.test("decodeContent reads deflate without its zlib wrapper", () => {
  const got = decodeContent(zlib.deflateRawSync(plain), "deflate");
  assert.equal(new TextDecoder().decode(got), text);
});

Deno.test("decodeContent takes stacked codings off last to first", () => {
  const stacked = zlib.gzipSync(zlib.deflateSync(plain));
  const got = decodeContent(stacked, "deflate, identity , gzip");
  assert.equal(new TextDecoder().decode(got), text);
});

Deno.test("decodeContent reads gzip of several members", () => {
  const both = Buffer.concat([zlib.gzipSync(plain), zlib.gzipSync(plain)]);
  assert.equal(decodeContent(both, "gzip").length, plain.length * 2);
});

Deno.test("decodeContent names what it cannot decode", () => {
  const broken = zlib.gzipSync(plain);
  broken[20] = broken[20]! ^ 0xff;
  const table: readonly [name: string, Uint8Array, string, RegExp][] = [
    ["not gzip at all", plain, "gzip", /not whole gzip data/],
    ["gzip cut off", zlib.gzipSync(plain).subarray(0, 30), "gzip", /gzip/],
    ["gzip with a flipped byte", broken, "gzip", /gzip/],
    ["not brotli", plain, "br", /not whole br data/],
    ["br cut off", encoders.br!(plain).subarray(0, 12), "br", /br/],
    [
      "deflate cut off",
      zlib.deflateSync(plain).subarray(0, 12),
      "deflate",
      /deflate/,
    ],
    ["an unknown coding", plain, "zstd", /`zstd` is not a content coding/],
    ["too many codings", plain, "br, br, br, br, br", /stacked/],
  ];
  for (const [name, body, coding, message] of table) {
    assert.throws(
      () => decodeContent(body, coding),
      (error: unknown) => {
        assert.ok(error instanceof ContentError, `${name}: ${error}`);
        assert.match(error.message, message, name);
        assert.equal(error.code, "content-encoding", name);
        return true;
      },
      name,
    );
  }
});

Deno.test("decodeContent stops a bomb at 16 MiB", () => {
  const bomb = new Uint8Array(17 * 1024 * 1024);
  for (const coding of ["gzip", "deflate", "br"]) {
    assert.throws(
      () => decodeContent(encoders[coding]!(bomb), coding),
      (error: unknown) =>
        error instanceof ContentError && error.code === "too-large",
      coding,
    );
  }
});

Deno.test("decodeContent gives back any bytes", () => {
  fc.assert(fc.property(
    fc.uint8Array({ maxLength: 500 }),
    fc.constantFrom("gzip", "deflate", "br"),
    (body, coding) => {
      const got = decodeContent(encoders[coding]!(body), coding);
      assert.deepEqual([...got], [...body]);
    },
  ));
});
