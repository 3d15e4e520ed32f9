import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";
import fc from "fast-check";
import type { WireResponse } from "../../../../lib/wire/net/wire_response.ts";
import {
  ContentError,
  contentOf,
  decodeContent,
} from "../../../../lib/wire/http1/content.ts";

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

Deno.test("decodeContent takes off each coding", async () => {
  for (const [coding, encode] of Object.entries(encoders)) {
    const got = await decodeContent(encode(plain), coding);
    assert.equal(new TextDecoder().decode(got), text, coding);
  }
});

Deno.test("decodeContent hands back an unencoded body without copying it", async () => {
  assert.equal(await decodeContent(plain, undefined), plain);
  assert.equal(await decodeContent(plain, "identity"), plain);
});

Deno.test("decodeContent lets an empty body be empty in any coding", async () => {
  assert.equal((await decodeContent(new Uint8Array(0), "gzip")).length, 0);
});

Deno.test("decodeContent reads deflate without its zlib wrapper", async () => {
  const got = await decodeContent(zlib.deflateRawSync(plain), "deflate");
  assert.equal(new TextDecoder().decode(got), text);
});

Deno.test("decodeContent takes stacked codings off last to first", async () => {
  const stacked = zlib.gzipSync(zlib.deflateSync(plain));
  const got = await decodeContent(stacked, "deflate, identity , gzip");
  assert.equal(new TextDecoder().decode(got), text);
});

Deno.test("decodeContent reads gzip of several members", async () => {
  await fc.assert(fc.asyncProperty(
    fc.array(fc.uint8Array({ maxLength: 100 }), { minLength: 1, maxLength: 5 }),
    async (members) => {
      const body = Buffer.concat(members.map((each) => zlib.gzipSync(each)));
      const got = await decodeContent(body, "gzip");
      assert.deepEqual(Buffer.from(got), Buffer.concat(members));
    },
  ));
});

/** What decoding comes to: the body, or the code of what is wrong with it. */
async function outcome(
  body: Uint8Array,
  coding: string,
): Promise<Uint8Array | string> {
  try {
    return await decodeContent(body, coding);
  } catch (error) {
    assert.ok(error instanceof ContentError, String(error));
    if (error.code === "content-encoding") {
      assert.match(error.message, new RegExp(`not whole ${coding} data`));
    }
    return error.code;
  }
}

/** Bodies of some structure, so that they have something to compress. */
const bodies = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 400 }),
  fc.tuple(fc.string({ minLength: 1 }), fc.nat(200)).map(([word, times]) =>
    new TextEncoder().encode(word.repeat(times + 1))
  ),
);
const CODED: readonly [name: string, (body: Uint8Array) => Uint8Array][] = [
  ["gzip", (body) => zlib.gzipSync(body)],
  ["deflate", (body) => zlib.deflateSync(body)],
  ["br", (body) => zlib.brotliCompressSync(Buffer.from(body))],
];

for (const [coding, encode] of CODED) {
  Deno.test(`decodeContent notices where ${coding} breaks off, wherever that is`, async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const whole = encode(body);
        assert.deepEqual(
          Buffer.from(await outcome(whole, coding) as Uint8Array),
          Buffer.from(body),
        );
        for (let cut = 1; cut < whole.length; cut++) {
          const got = await outcome(whole.subarray(0, cut), coding);
          assert.equal(got, "content-encoding", `${cut} of ${whole.length}`);
        }
      }),
      { numRuns: 30 },
    );
  });

  Deno.test(`decodeContent takes a flipped bit of ${coding} for an error, or for other data`, async () => {
    const checksum = coding !== "br";
    await fc.assert(
      fc.asyncProperty(bodies, fc.nat(), async (body, at) => {
        const flipped = Uint8Array.from(encode(body));
        // Without its two bytes of wrapper, deflate is another coding.
        const first = coding === "deflate" ? 16 : 0;
        const bit = first + at % (flipped.length * 8 - first);
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        const got = await outcome(flipped, coding);
        if (typeof got === "string" || !checksum) return;
        // The head of gzip has bits that mean nothing, and no checksum.
        assert.deepEqual(Buffer.from(got), Buffer.from(body), `bit ${bit}`);
      }),
      { numRuns: 300 },
    );
  });

  Deno.test(`decodeContent takes nothing that follows the end of ${coding}`, async () => {
    const junk = fc.uint8Array({ minLength: 1, maxLength: 30 })
      .filter((bytes) => bytes[0] !== 0);
    await fc.assert(
      fc.asyncProperty(bodies, junk, async (body, more) => {
        const both = Buffer.concat([encode(body), more]);
        assert.equal(await outcome(both, coding), "content-encoding");
      }),
      { numRuns: 100 },
    );
  });
}

Deno.test("decodeContent lets zeros fill up gzip, as gzip itself does", async () => {
  const filled = Buffer.concat([zlib.gzipSync(plain), Buffer.alloc(512)]);
  assert.deepEqual(await outcome(filled, "gzip"), Buffer.from(plain));
});

Deno.test("decodeContent names what it cannot decode", async () => {
  const table: readonly [name: string, Uint8Array, string, RegExp][] = [
    ["not gzip at all", plain, "gzip", /not whole gzip data: incorrect header/],
    [
      "gzip cut off",
      zlib.gzipSync(plain).subarray(0, 30),
      "gzip",
      /not whole gzip data: unexpected end of file/,
    ],
    ["not brotli", plain, "br", /not whole br data/],
    [
      "an unknown coding",
      plain,
      "zstd",
      /The content coding `zstd` of the body cannot be decoded/,
    ],
    ["too many codings", plain, "br, br, br, br, br", /stacked/],
  ];
  for (const [name, body, coding, message] of table) {
    await assert.rejects(
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

Deno.test("decodeContent stops a bomb at 16 MiB", async () => {
  const bomb = new Uint8Array(17 * 1024 * 1024);
  for (const coding of ["gzip", "deflate", "br"]) {
    assert.equal(await outcome(encoders[coding]!(bomb), coding), "too-large");
  }
});

/** A response with this body and Content-Encoding. */
function encoded(
  body: Uint8Array,
  encoding: readonly string[],
  status = 200,
): WireResponse {
  const headers = encoding.map((each) => ["Content-Encoding", each] as const);
  return { body, status, headers: () => headers } as unknown as WireResponse;
}

Deno.test("contentOf leaves alone what it does not know, and a part of a body", async () => {
  const half = zlib.gzipSync(plain).subarray(0, 40);
  const table: readonly [
    why: string,
    WireResponse,
    message: RegExp | undefined,
  ][] = [
    ["an unknown coding", encoded(half, ["zstd"]), /coding `zstd` of/],
    ["one among others", encoded(half, ["gzip, zstd"]), /coding `zstd` of/],
    ["a charset, as some servers say", encoded(half, ["UTF-8"]), /`utf-8`/],
    ["206", encoded(half, ["gzip"], 206), /a part of gzip data \(status 206\)/],
    ["no coding, as some servers say", encoded(half, ["identity"]), undefined],
    ["no body", encoded(new Uint8Array(), ["gzip"]), undefined],
  ];
  for (const [why, response, message] of table) {
    const { left, ...rest } = await contentOf(response);
    assert.deepEqual(rest, {}, why);
    assert.equal(left?.code, message && "content-encoding", why);
    if (message) assert.match(left!.message, message, why);
  }
});

Deno.test("contentOf leaves a body that decodes to too much", async () => {
  const bomb = zlib.gzipSync(new Uint8Array(17 * 1024 * 1024));
  const { left, ...rest } = await contentOf(encoded(bomb, ["gzip"]));
  assert.deepEqual(rest, {});
  assert.equal(left?.code, "too-large");
  assert.match(left!.message, /gzip body decodes to more than 16777216 bytes/);
});

Deno.test("contentOf joins codings that stand in fields of their own", async () => {
  const body = zlib.gzipSync(zlib.deflateSync(plain));
  const { bytes } = await contentOf(encoded(body, ["deflate", "gzip"]));
  assert.deepEqual(bytes, Buffer.from(plain));
});
