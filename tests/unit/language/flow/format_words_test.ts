import { deepEqual, ok } from "node:assert/strict";
import { string } from "../../../../lib/language/fields/scalars.ts";
import { inline, under } from "../../../../lib/language/fields/inline.ts";
import { decodeFlow } from "../../../../lib/language/flow/decode.ts";
import { irWords } from "../../../../lib/language/flow/format_words.ts";
import type { Kind } from "../../../../lib/language/flow/kind.ts";
import { redactText } from "../../../../lib/results/redact/redacted.ts";
import { Secrets } from "../../../../lib/results/redact/secrets.ts";
import { registry } from "../../../../lib/steps/registry.ts";
import { casesIn, readCase } from "../../../golden/read_case.ts";

const GOLDEN = new URL("../../../golden/ir/", import.meta.url);

Deno.test("irWords() has the keys and words of kinds and schemes that are handed in", () => {
  const chirp = {
    kind: "chirp",
    doc: "",
    block: inline(under("tone", string)),
    keys: [],
    requests: false,
  } as unknown as Kind;
  const { keys, values } = irWords({
    kinds: new Map([["chirp", chirp]]),
    schemes: new Map(),
  });
  ok(keys.has("tone") && !keys.has("proto") && !keys.has("token"));
  deepEqual([...values.get("kind")!].filter((each) => each === "chirp"), [
    "chirp",
  ]);
});

Deno.test("a stored flow can be read, whatever word of the IR is a secret", async () => {
  const words = irWords(registry);
  const secrets = new Secrets(words);
  await Secrets.prepare();
  for (const key of words.keys) secrets.register(key);
  for (const each of words.values.values()) {
    for (const word of each) secrets.register(word);
  }
  for (const { folder } of casesIn(GOLDEN)) {
    const file = [...Deno.readDirSync(folder)].map(({ name }) => name)
      .find((name) => /^flow\.(?:yaml|json)$/.test(name))!;
    const flow = await readCase(file, Deno.readFileSync(new URL(file, folder)));
    const found: string[] = [];
    const read = decodeFlow(
      redactText(flow, secrets),
      ({ message }) => found.push(message),
    );
    // A name that is the author's own is hidden, and is no name any more.
    const own = found.filter((each) => !/form|variable|name/.test(each));
    ok(read || own.length === 0, `${folder.pathname}: ${own}`);
  }
});
