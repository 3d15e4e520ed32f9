import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { JsonSearch } from "../../../../lib/base/values/json_search.ts";
import { WsFrame } from "../../../../lib/steps/ws/frame.ts";
import { closed } from "../../../../lib/steps/ws/session_end.ts";

const textFrame = (text: string) =>
  new WsFrame(0, true, new TextEncoder().encode(text));

Deno.test("WsFrame.shown never cuts inside a string", () =>
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const { shown } = textFrame(JSON.stringify(value));
    ok(shown.length < 500, `${shown.length} characters`);
    for (const [, text] of shown.matchAll(/"((?:[^"\\]|\\.)*)"/g)) {
      ok(text === "…" || JSON.stringify(value).includes(`"${text}"`));
    }
  })));

const shown: [rule: string, text: string, expected: string][] = [
  ["a short frame stands whole", '{ "a": [1, null] }', '{"a":[1,null]}'],
  [
    "a long string is left out",
    `{"a":"${"x".repeat(80)}","b":1}`,
    '{"a":"…","b":1}',
  ],
  [
    "a long list is cut between members",
    JSON.stringify(Array(100).fill(12345)),
    `[${"12345,".repeat(24)}…]`,
  ],
  ["what is no JSON is counted", "hello", "a frame of 5 bytes"],
];
for (const [rule, text, expected] of shown) {
  Deno.test(`WsFrame.shown: ${rule}`, () => {
    strictEqual(textFrame(text).shown, expected);
  });
}

Deno.test("WsFrame.error leaves a long text that is no JSON out of the message", () => {
  const { error } = textFrame("secret ".repeat(50));
  strictEqual(error, "a text frame of 350 bytes came, but it is not JSON");
});

Deno.test("WsFrame.error is none for the JSON null", () => {
  strictEqual(textFrame("null").error, undefined);
});

Deno.test("WsFrame.error names a binary frame, whatever it holds", () => {
  const frame = new WsFrame(0, false, Buffer.from("{}"));
  strictEqual(
    frame.error,
    "a binary frame of 2 bytes came, but only JSON text frames can be read",
  );
});

Deno.test("WsFrame.searched finds values in its part of a buffer, and of another frame after that", () => {
  const bytes = Buffer.from('..{"id":42}{"id":"b"}..');
  const search = new JsonSearch();
  const id = search.add(["id"]);
  const first = new WsFrame(0, true, bytes, 2, 11);
  const second = new WsFrame(0, true, bytes, 11, 21);
  const found = [first, second, first].map((frame) =>
    frame.searched(search) && search.value(id)
  );
  deepStrictEqual(found, [42, "b", 42]);
  strictEqual(first.error, undefined);
});

Deno.test("WsFrame.searched leaves to `json` what is no JSON in text, and what was read before", () => {
  const search = new JsonSearch();
  const read = textFrame('{"id":1}');
  deepStrictEqual(read.json(), { id: 1 });
  const binary = new WsFrame(0, false, Buffer.from('{"id":1}'));
  for (const frame of [read, binary, textFrame('{"id":1')]) {
    strictEqual(frame.searched(search), false);
  }
});

Deno.test("WsFrame.keep copies its bytes out of the buffer of its connection", () => {
  const bytes = Buffer.from("..kept..");
  const frame = new WsFrame(0, true, bytes, 2, 6).keep();
  bytes.fill(0);
  deepStrictEqual([frame.decode(), frame.length], ["kept", 4]);
});

for (
  const [code, text] of [
    [1013, "1013 (try again later)"],
    [1002, "1002 (protocol error)"],
    [3500, "3500 (registered)"],
    [4999, "4999 (private use)"],
    [2000, "2000"],
  ] as const
) {
  Deno.test(`closed: code ${code} is shown as ${text}`, () => {
    strictEqual(closed(code, "").line, `close ${text}`);
  });
}
