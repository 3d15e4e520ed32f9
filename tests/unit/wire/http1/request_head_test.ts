import assert from "node:assert/strict";
import fc from "fast-check";
import {
  RequestError,
  requestHead,
} from "../../../../lib/wire/http1/request_head.ts";
import { anyText } from "../../../support/any_text.ts";

Deno.test("requestHead writes the fields that have a value as given, in their order", () => {
  assert.equal(
    requestHead("POST", "/x?y=1", [
      ["Host", "h:81"],
      ["x-b", "2"],
      ["X-A", ""],
      ["X-Ü".replace("Ü", "U"), "tab\there"],
    ]),
    "POST /x?y=1 HTTP/1.1\r\nHost: h:81\r\nx-b: 2\r\nX-U: tab\there\r\n\r\n",
  );
});

Deno.test("requestHead refuses a part that could break out of its place", () => {
  const table: readonly [string, string, string, string, RegExp][] = [
    ["GET X", "/", "A", "b", /is not a method/],
    ["", "/", "A", "b", /is not a method/],
    ["GET\r\n", "/", "A", "b", /is not a method/],
    ["GET", "", "A", "b", /it is empty/],
    ["GET", "/a b", "A", "b", /must be percent-encoded/],
    ["GET", "/a\r\nX: y", "A", "b", /must be percent-encoded/],
    ["GET", "/ü", "A", "b", /must be percent-encoded/],
    ["GET", "/", "", "b", /is not a header name/],
    ["GET", "/", "A B", "b", /is not a header name/],
    ["GET", "/", "A:", "b", /is not a header name/],
    ["GET", "/", "A\r\nB", "b", /is not a header name/],
    ["GET", "/", "Ä", "b", /is not a header name/],
    ["GET", "/", "A", "b\r\nC: d", /`A` holds CR/],
    ["GET", "/", "A", "b\nC: d", /`A` holds LF/],
    ["GET", "/", "A", "b\0", /`A` holds NUL/],
    ["GET", "/", "A", "b\x01", /`A` holds the control character U\+0001,/],
    ["GET", "/", "A", "\x1b[1m", /`A` holds the control character U\+001B,/],
    ["GET", "/", "A", "\x7f", /`A` holds the control character U\+007F,/],
  ];
  for (const [method, target, name, value, message] of table) {
    assert.throws(
      () => requestHead(method, target, [[name, value]]),
      (error: unknown) => {
        assert.ok(error instanceof RequestError);
        assert.match(error.message, message);
        assert.ok(!error.message.includes("C: d"), "the value stays unsaid");
        return true;
      },
    );
  }
});

Deno.test("requestHead never writes a line that was not given", () => {
  fc.assert(fc.property(
    anyText,
    anyText,
    (name, value) => {
      let head: string;
      try {
        head = requestHead("GET", "/", [[name, value]]);
      } catch (error) {
        assert.ok(error instanceof RequestError);
        return;
      }
      assert.equal(
        head.split(/\r\n|\r|\n/).length,
        value === "" ? 3 : 4,
      );
    },
  ));
});
