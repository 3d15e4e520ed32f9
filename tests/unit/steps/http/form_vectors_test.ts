import { deepStrictEqual, equal } from "node:assert/strict";
import { compileBody } from "../../../../lib/steps/http/body.ts";
import type { OpenTools } from "../../../../lib/steps/protocol.ts";
import vectors from "../../../vectors/forms/urlencoded.json" with {
  type: "json",
};

const NAMES = { variables: new Map(), pools: new Map(), env: new Map() };

/** The body of a form with these fields. */
async function bodyOf(pairs: string[][]): Promise<string> {
  const form = pairs.map(([name = "", value = ""]) => ({ name, value }));
  const body = await compileBody(
    { form },
    { names: NAMES } as unknown as OpenTools,
  );
  return String(body!.constant);
}

Deno.test("form: what WHATWG's serializer tests expect is sent", async () => {
  for (const { pairs, text } of vectors.serializer) {
    equal(await bodyOf(pairs), text);
  }
});

Deno.test("form: what WHATWG's parser tests read is sent so that their parser reads it again", async () => {
  for (const { input, output } of vectors.parser) {
    deepStrictEqual([...new URLSearchParams(input)], output, input);
    const body = await bodyOf(output);
    deepStrictEqual([...new URLSearchParams(body)], output, body);
    equal(body, new URLSearchParams(output).toString());
  }
});
