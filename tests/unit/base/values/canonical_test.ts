import { equal, throws } from "node:assert/strict";
import { canonical } from "../../../../lib/base/values/canonical.ts";

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
