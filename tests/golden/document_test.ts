import { deepEqual, equal, ok } from "node:assert/strict";
import { parse } from "yaml";
import { compileFlow } from "../../lib/compile.ts";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import { isObject, type JsonValue } from "../../lib/base/values/json.ts";
import { casesIn, filesOf, readCase } from "./read_case.ts";

/*
 * What a program writes as data is read as a file of the same keys is: the same
 * bytes, the same diagnostics.
 */
const GOLDEN = new URL("./", import.meta.url);

async function compileDocument(
  value: JsonValue,
  folder: URL,
): Promise<string> {
  const document = { value };
  const input = { file: "flow", directory: ".", form: "document", document } as const;
  return (await compileFlow(input, filesOf(folder))).canonical;
}

function* cases(
  kind: string,
): Generator<[name: string, bytes: Uint8Array, folder: URL]> {
  for (const { name, folder } of casesIn(new URL(`${kind}/`, GOLDEN))) {
    try {
      yield [name, Deno.readFileSync(new URL("flow.yaml", folder)), folder];
    } catch {
      continue;
    }
  }
}

/** The file as data, when to YAML it is data at all. */
function dataOf(bytes: Uint8Array): JsonValue | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const data = parse(text, { strict: true, logLevel: "error", merge: true });
    // Without a version a program has all there is.
    return isObject(data) ? { version: 0, ...data } : data;
  } catch {
    return undefined;
  }
}

async function messagesOf(read: Promise<unknown>): Promise<string[]> {
  try {
    await read;
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.diagnostics.map(({ code, message, hint }) =>
      `${code}: ${message} = ${hint}`
    ).sort();
  }
}

/** Of the spelling of YAML, which data does not have. */
const YAML_ONLY =
  /^(yaml-|unquoted-|duplicate-key|number-out-of-range|leading-zero|lone-surrogate|nesting|anchor|alias|not-utf8|empty-file|merge|nul-|key-not-string|too-many-aliases)/;

/** Cases that data says differently, each with the reason. */
const DIFFERENT: ReadonlyMap<string, string> = new Map([
  ["flow/not-a-mapping", "a list has no version"],
  ["call-headers-and-query", "a header keeps the text of a YAML number"],
  ["step/capture-of-other-tools", "a program has every version"],
  ["integers-with-digits", "data of this test has doubles"],
  ["profile/beyond-doubles", "data of this test has doubles"],
  ["graphql/template-in-document", "a template of YAML is not quoted"],
  ["yaml-aliases", "a header keeps the text of a YAML number"],
  ["mix/keys-of-flows", "a program says the folder of a flow"],
  ["mix/no-flow-file", "a program puts flows into its mix"],
  ["hiding/word-that-a-message-lists", "data of this test has no file to hide"],
  ["mix/version-0", "the data of this test says its version"],
]);

Deno.test("a document gives the bytes of the file with the same data", async () => {
  let compared = 0;
  for (const [name, bytes, folder] of cases("ir")) {
    const data = dataOf(bytes);
    if (data === undefined || DIFFERENT.has(name)) continue;
    equal(
      await compileDocument(data, folder),
      await readCase("flow.yaml", bytes, folder),
      name,
    );
    compared++;
  }
  ok(compared >= 40, `${compared} cases`);
});

Deno.test("a document gets the diagnostics of the file with the same data", async () => {
  let compared = 0;
  const wrong: unknown[] = [];
  for (const [name, bytes, folder] of cases("diagnostics")) {
    const data = dataOf(bytes);
    const expected = await messagesOf(readCase("flow.yaml", bytes, folder));
    const spelling = expected.some((each) => YAML_ONLY.test(each));
    if (data === undefined || expected.length === 0 || spelling) continue;
    if (DIFFERENT.has(name)) continue;
    const found = await messagesOf(compileDocument(data, folder));
    if (found.join("\n") !== expected.join("\n")) wrong.push({ name, found, expected });
    compared++;
  }
  deepEqual(wrong, []);
  ok(compared >= 60, `${compared} cases`);
});
