import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { Http2Error } from "../../../../lib/wire/http2/frames/error.ts";
import {
  connectionLost,
  unreadable,
} from "../../../../lib/wire/http2/connection.ts";

Deno.test("connectionLost says what may be wrong where a server hangs up after the TLS handshake", () => {
  const text = (begun: boolean, unheard: boolean, error?: Error) =>
    connectionLost({ begun, unheard, goneAway: undefined, error }).message;
  const certificate =
    "connection closed before any of the response was received: a server that requires a certificate from this side, or refuses the one it got, does that; see `--cert` and `--key`";
  strictEqual(text(false, true, new Error("broken pipe")), certificate);
  strictEqual(text(false, true), certificate);
  strictEqual(
    text(false, true, new Deno.errors.UnexpectedEof("no close_notify")),
    certificate,
  );
  strictEqual(
    text(false, true, new Error("received fatal alert: CertificateRequired")),
    "connection closed before any of the response was received: the server requires a certificate from this side; see `--cert` and `--key`",
  );
  strictEqual(
    text(false, false, new Error("broken pipe")),
    "connection closed before any of the response was received: broken pipe",
  );
  strictEqual(
    text(true, false),
    "connection closed before the response was complete",
  );
});

Deno.test("unreadable distinguishes fields that are too large from frames that are wrong", () => {
  deepStrictEqual(
    [
      unreadable(
        new Http2Error("ENHANCE_YOUR_CALM", "many fields", "connection", true),
      ),
      unreadable(new Http2Error("PROTOCOL_ERROR", "bad frame")),
    ],
    [
      { code: "too-large", message: "The response is too large: many fields" },
      { code: "protocol", message: "protocol: bad frame" },
    ],
  );
});
