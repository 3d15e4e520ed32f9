import { equal } from "node:assert/strict";
import { notUtf8, utf8Text } from "../../../../lib/steps/http/captured_body.ts";
import { oneByteEach } from "../../../support/raw_server.ts";

Deno.test("notUtf8 names the first byte that is no UTF-8, and takes U+FFFD for what it is", () => {
  const table: [bytes: string, message: string | undefined][] = [
    ['{"a":1}', undefined],
    ['"\xef\xbf\xbd"', undefined],
    ['"\xe9"', "byte 1 is 0xE9"],
    ['"\xef\xbf\xbd\xc3\xa9 \xff"', "byte 7 is 0xFF"],
    ['"\xe9', "byte 1 is 0xE9"],
    ['\xef\xbb\xbf"\xe6\x97"', "byte 4 is 0xE6"],
    [`"${"\xc3\xa9".repeat(300)}\xed\xa0\x80"`, "byte 601 is 0xED"],
  ];
  for (const [bytes, message] of table) {
    const body = oneByteEach(bytes);
    equal(
      notUtf8(utf8Text(body), body)?.message,
      message && `The body is not UTF-8, as JSON must be: ${message}`,
      bytes,
    );
  }
});
