import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import { readJson } from "../../../../lib/base/values/read_json.ts";

const LONG = "12345678901234567890";

Deno.test("readJson: an integer beyond 2^53 keeps every digit, wherever it is", () => {
  const forms = [
    "#",
    "-#",
    " # ",
    "[#]",
    "[1, #]",
    '{"a":#}',
    '{"a": {"b":[ -#\n]}}',
    '[{"id":1,"text":"x"},{"id":#}]',
  ];
  for (const form of forms) {
    const json = form.replace("#", LONG);
    strictEqual(
      JSON.stringify(readJson(json)),
      json.replaceAll(/\s/g, ""),
      form,
    );
  }
  deepStrictEqual(readJson(`{"a":${LONG}}`), { a: 12345678901234567890n });
  const long = "9".repeat(5_000);
  strictEqual(readJson(long), BigInt(long));
});

Deno.test("readJson: digits come back for integers of any size, anywhere in the text", () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.nat({ max: 40 }), (value, spaces) => {
      const text = `${" ".repeat(spaces)}[${value}]`;
      strictEqual(JSON.stringify(readJson(text)), `[${value}]`);
      const [read] = readJson(text) as [number | bigint];
      strictEqual(
        typeof read === "number",
        Number.isSafeInteger(Number(value)),
      );
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("readJson: everything but long integers is what JSON.parse makes of it", () => {
  const short = fc.json({ maxDepth: 6 })
    .filter((text) => !/(?<![\d.])\d{16,}(?![\d.e])/.test(text));
  fc.assert(fc.property(short, (text) => {
    // With a long integer beside it, it goes through the exact reader.
    const [long, value] = readJson(`[${LONG},${text}]`) as unknown[];
    strictEqual(long, BigInt(LONG));
    deepStrictEqual(value, JSON.parse(text));
    deepStrictEqual(readJson(text), JSON.parse(text));
  }));
  const odd =
    `{"__proto__":[1e400,-0,0.10,"\\u00e9\\n"],"a":1,"a":2,"${LONG}":"${LONG}","n":${LONG}}`;
  deepStrictEqual(readJson(odd), {
    ["__proto__"]: [Infinity, -0, 0.1, "é\n"],
    a: 2,
    [LONG]: LONG,
    n: BigInt(LONG),
  });
});

Deno.test("readJson: refuses what JSON.parse refuses", () => {
  for (const text of ["", "[", `[${LONG}`, `[${LONG},]`, `{"a":0${LONG}}`]) {
    throws(() => readJson(text), SyntaxError, text);
    throws(() => JSON.parse(text), SyntaxError, text);
  }
});

Deno.test("readJson: a text that is nested deep does not end the program", () => {
  const deep = 100_000;
  const text = `${"[".repeat(deep)}${LONG}${"]".repeat(deep)}`;
  let value: unknown = readJson(text);
  for (let level = 0; level < deep; level++) value = (value as [unknown])[0];
  strictEqual(value, BigInt(LONG));
});

Deno.test("readJson: more digits than any identifier has are read like any number", () => {
  strictEqual(readJson("9".repeat(20_000)), Infinity);
});
