import { deepEqual, equal, throws } from "node:assert/strict";
import { canonical, readable } from "../../../../lib/base/values/canonical.ts";
import fc from "fast-check";
import type { JsonValue } from "../../../../lib/base/values/json.ts";
import { WorkLimitError } from "../../../../lib/base/values/work.ts";

/* RFC 8785; the Python SDK's tests read the same two files. */
const VECTORS = new URL("../../../vectors/jcs/", import.meta.url);

interface Numbers {
  readonly rows: readonly { readonly ieee754: string; readonly json: string }[];
}
interface Strings {
  readonly rows: readonly {
    readonly name: string;
    readonly input: string;
    readonly json: string;
  }[];
  readonly refused: readonly string[];
}

function read<T>(name: string): T {
  return JSON.parse(Deno.readTextFileSync(new URL(name, VECTORS)));
}

Deno.test("canonical() writes numbers as ECMAScript does (RFC 8785 appendix B)", () => {
  const view = new DataView(new ArrayBuffer(8));
  for (const { ieee754, json } of read<Numbers>("numbers.json").rows) {
    view.setBigUint64(0, BigInt(`0x${ieee754}`));
    equal(canonical(view.getFloat64(0)), json, ieee754);
  }
});

for (const { name, input, json } of read<Strings>("strings.json").rows) {
  Deno.test(`canonical(): ${name}`, () => {
    equal(canonical(JSON.parse(input)), json);
  });
}

Deno.test("canonical() refuses half a surrogate pair", () => {
  for (const input of read<Strings>("strings.json").refused) {
    throws(() => canonical(JSON.parse(input)), input);
  }
});

const DEEP = 100_000;
const deep = JSON.parse('{"a":'.repeat(DEEP) + "1" + "}".repeat(DEEP));

/** Every object in `value`, each of which holds those behind it. */
function inside(value: JsonValue): JsonValue[] {
  const found: JsonValue[] = [];
  for (
    let at = value;
    typeof at === "object";
    at = (at as { a: JsonValue }).a
  ) {
    found.push(at);
  }
  return found;
}

Deno.test("canonical() writes what reads back the same, and sorts keys", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const json = JSON.parse(JSON.stringify(value)) as JsonValue;
    const text = canonical(json);
    deepEqual(JSON.parse(text), json);
    equal(canonical(JSON.parse(text)), text);
  }));
  equal(
    canonical({ b: [1, "x", null], a: { d: 1n, c: -0 } }),
    '{"a":{"c":0,"d":1},"b":[1,"x",null]}',
  );
  const gaps = { a: undefined, b: [undefined] } as unknown as JsonValue;
  equal(canonical(gaps), '{"b":[null]}');
});

Deno.test("canonical() writes a value however deep it is", () => {
  equal(canonical(deep).length, DEEP * 6 + 1);
});

Deno.test("canonical() gives up on text that would be longer than its limit", () => {
  throws(() => canonical(inside(deep), 1 << 20), WorkLimitError);
});

Deno.test("readable() shows the beginning of what is long, and never fails", () => {
  const shown = readable(inside(deep));
  equal(shown.slice(0, 8), '[{"a":{"');
  equal(shown.at(-1), "…");
  equal(shown.length < 20_000, true);
  equal(
    readable([Infinity, "\ud800", deep]).slice(0, 21),
    '[Infinity,"\\ud800",{"',
  );
});
