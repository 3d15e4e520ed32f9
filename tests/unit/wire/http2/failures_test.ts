import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  connectionLost,
  unreadable,
} from "../../../../lib/wire/http2/failures.ts";

Deno.test("connectionLost says what may be wrong where a peer hangs up after the TLS handshake", () => {
  const text = (...args: Parameters<typeof connectionLost>) =>
    connectionLost(...args).message.replace(/^The peer closed the /, "");
  const certificate =
    "connection before any of the answer came: a server that wants a certificate from this side does that; see `--cert` and `--key`";
  strictEqual(text(false, true, new Error("broken pipe")), certificate);
  strictEqual(text(false, true, undefined), certificate);
  strictEqual(
    text(false, true, new Error("received fatal alert: CertificateRequired")),
    "connection before any of the answer came: the server refused this side's certificate, or wants one; see `--cert` and `--key`",
  );
  strictEqual(
    text(false, false, new Error("broken pipe")),
    "connection before any of the answer came: broken pipe",
  );
  strictEqual(
    text(true, false, undefined),
    "connection before the answer was whole",
  );
});

Deno.test("unreadable tells fields that are too large from frames that are wrong", () => {
  deepStrictEqual(
    [
      unreadable(11, 40, undefined),
      unreadable(8, 16_384, undefined),
      unreadable(8, 40, undefined),
      unreadable(8, 40, new Error("bad")),
    ].map(({ code, message }) => [code, message]),
    [
      [
        "too-large",
        "The answer has more or longer header fields than are read",
      ],
      [
        "too-large",
        "The answer has more or longer header fields than are read",
      ],
      ["protocol", "protocol: the answer cannot be read as HTTP/2"],
      ["protocol", "protocol: the answer cannot be read as HTTP/2: bad"],
    ],
  );
});
