import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import * as zlib from "node:zlib";
import {
  captureBody,
  captureCoded,
  MOST_CAPTURED,
} from "../../../../lib/steps/http/captured_body.ts";

const TEXT = '{"said":"words that are long enough to be compressed, words"}';
const GZIP = zlib.gzipSync(TEXT);
const sha256 = (bytes: Uint8Array) =>
  createHash("sha256").update(bytes).digest("hex");
const fingerprint = (bytes: Uint8Array) => ({
  body_bytes: bytes.length,
  body_sha256: sha256(bytes),
});

const TEXTS: Readonly<Record<string, [Uint8Array, string | undefined]>> = {
  "UTF-8": [Buffer.from("grüße"), "text/plain"],
  "UTF-8 without a type": [Buffer.from("grüße"), undefined],
  "UTF-8 under the type of an archive": [
    Buffer.from("grüße"),
    "application/zip",
  ],
  "Latin-1": [Buffer.from("grüße", "latin1"), "text/plain; charset=ISO-8859-1"],
  "Latin-1 of a page without a charset": [
    Buffer.from("grüße", "latin1"),
    "text/html",
  ],
  "UTF-16": [Buffer.from("grüße", "utf16le"), "text/plain; charset=utf-16"],
  "UTF-16 with a mark": [
    Buffer.from("\ufeffgrüße", "utf16le"),
    "application/json",
  ],
  "UTF-16 with a mark, the other order": [
    Buffer.from("\ufeffgrüße", "utf16le").swap16(),
    undefined,
  ],
};

for (const [what, [bytes, type]] of Object.entries(TEXTS)) {
  Deno.test(`captureBody: ${what} is text`, () => {
    assert.deepEqual(captureBody(bytes, type), {
      body: "grüße",
      body_bytes: bytes.length,
    });
  });
}

Deno.test("captureBody: bytes that are no text are base64", () => {
  const bytes = Buffer.from([0, 0xff, 1, 0xfe]);
  assert.deepEqual(captureBody(bytes, "image/png"), {
    body: bytes.toString("base64"),
    body_encoding: "base64",
    body_bytes: 4,
  });
});

Deno.test("captureBody: a gzip file is shown as what is in it", () => {
  for (const type of ["application/gzip", "application/octet-stream"]) {
    assert.deepEqual(captureBody(GZIP, type), {
      body: TEXT,
      body_bytes: GZIP.length,
      body_truncated: true,
    });
  }
});

Deno.test("captureBody: of what is compressed otherwise, length and hash are kept", () => {
  const magics = ["PK\x03\x04", "(\xb5/\xfd", "\xfd7zXZ", "BZh9", "Rar!"];
  for (const magic of magics) {
    const bytes = Buffer.from(`${magic}\x00\xff...`, "latin1");
    assert.deepEqual(captureBody(bytes, undefined), fingerprint(bytes));
  }
  const unknown = Buffer.from([0xff, 0, 0xfe]);
  for (const type of ["application/zstd", "application/x-xz", "a/b+zip"]) {
    assert.deepEqual(captureBody(unknown, type), fingerprint(unknown));
  }
  const twice = zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(TEXT)));
  assert.deepEqual(captureBody(twice, undefined), fingerprint(twice));
});

Deno.test("captureBody: a long body is cut where redaction needs no more of it", () => {
  const long = "ä".repeat(MOST_CAPTURED + 1);
  const shown = captureBody(Buffer.from(long), "text/plain");
  assert.equal(shown.body, long.slice(0, MOST_CAPTURED));
  assert.equal(shown.body_bytes, long.length * 2);
  assert.equal(shown.body_truncated, true);
  const binary = captureBody(new Uint8Array(MOST_CAPTURED), "image/png");
  assert.equal(binary.body!.length, MOST_CAPTURED);
  assert.equal(binary.body_truncated, true);
  const longer = Buffer.from(`x${"ä".repeat(MOST_CAPTURED * 3)}`);
  assert.match(captureBody(longer, "text/plain").body!, /^xä+$/);
});

Deno.test("captureBody: a body that is handed on is whole, however long", () => {
  const long = "ä".repeat(MOST_CAPTURED * 5);
  assert.deepEqual(
    captureBody(Buffer.from(long), "text/plain", { whole: true }),
    {
      body: long,
      body_bytes: long.length * 2,
    },
  );
  const binary = Buffer.alloc(MOST_CAPTURED, 1);
  assert.deepEqual(captureBody(binary, "image/png", { whole: true }), {
    body: binary.toString("base64"),
    body_encoding: "base64",
    body_bytes: binary.length,
  });
});

const PARTS: Readonly<Record<string, [Uint8Array, string]>> = {
  "gzip that breaks off": [GZIP.subarray(0, -12), "gzip"],
  "gzip with something behind it": [Buffer.concat([GZIP, GZIP]), "x-gzip"],
  "gzip with a name in its head": [
    Buffer.concat([
      GZIP.subarray(0, 3),
      Buffer.from([8]),
      GZIP.subarray(4, 10),
      Buffer.from("name\0"),
      GZIP.subarray(10),
    ]),
    "gzip",
  ],
  "deflate that breaks off": [
    zlib.deflateSync(TEXT).subarray(0, -4),
    "deflate",
  ],
  "raw deflate": [zlib.deflateRawSync(TEXT), "deflate"],
  "deflate in gzip": [zlib.gzipSync(zlib.deflateSync(TEXT)), "deflate, gzip"],
};

for (const [what, [bytes, encoding]] of Object.entries(PARTS)) {
  Deno.test(`captureCoded: ${what} is decoded as far as it goes`, () => {
    const shown = captureCoded(bytes, "application/json", encoding);
    assert.ok(TEXT.startsWith(shown.body!) && shown.body!.length > 40);
    assert.equal(shown.body_bytes, bytes.length);
    assert.equal(shown.body_truncated, true);
  });
}

Deno.test("captureCoded: of what cannot be decoded, length and hash are kept", () => {
  // A block of a type that does not exist (RFC 1951 section 3.2.3).
  const bent = Buffer.from(GZIP).fill(0x07, 10, 11);
  for (
    const [bytes, encoding] of [
      [GZIP.subarray(20), "gzip"],
      [bent, "gzip"],
      [zlib.brotliCompressSync(TEXT).subarray(0, -3), "br"],
      [Buffer.from([0xff, 0xfe, 0xfd]), "zstd"],
      [Buffer.from([0xff, 0xfe, 0xfd]), "aws-chunked"],
    ] as const
  ) {
    assert.deepEqual(
      captureCoded(bytes, "text/plain", encoding),
      fingerprint(bytes),
    );
  }
});

Deno.test("captureCoded: text is text, whatever coding it claims", () => {
  assert.deepEqual(captureCoded(Buffer.from(TEXT), undefined, "utf-8"), {
    body: TEXT,
    body_bytes: TEXT.length,
  });
});
