import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  CANONICAL_STRING,
  checkSign,
  compileSign,
} from "../../../../lib/steps/auth/sign_string.ts";

const BODY = new TextEncoder().encode("{}");
const DIGEST =
  "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";

function signed(sign: string) {
  const draft = { method: "POST", path: "/a", query: "b=1", body: BODY };
  return compileSign(sign)(draft, "17", "k1");
}

Deno.test("compileSign: the canonical string has four placeholders and three line ends", () => {
  deepStrictEqual(signed(CANONICAL_STRING), [`POST\n/a\n17\n${DIGEST}`]);
});

Deno.test("compileSign: text and neighbours are kept as they are", () => {
  deepStrictEqual(signed(""), []);
  deepStrictEqual(signed("fixed"), ["fixed"]);
  deepStrictEqual(signed("a{query}{body}b"), ["ab=1", BODY, "b"]);
});

const PLACEHOLDERS = [
  ["method", "POST"],
  ["path", "/a"],
  ["query", "b=1"],
  ["body", "", BODY],
  ["body_sha256", DIGEST],
  ["timestamp", "17"],
  ["key_id", "k1"],
] as const;

for (const [name, ...parts] of PLACEHOLDERS) {
  Deno.test(`checkSign: the placeholder {${name}} is known`, () => {
    strictEqual(checkSign(`{${name}}`), undefined);
    deepStrictEqual(signed(`{${name}}`), parts);
  });
}

const wrong = [
  ["a misspelt placeholder", "{methd}", "`sign` has no placeholder `{methd}`"],
  [
    "white space inside",
    "{ method }",
    "`sign` has no placeholder `{ method }`",
  ],
  ["an empty placeholder", "{}", "`sign` has no placeholder `{}`"],
  [
    "a template",
    "{{ env.X }}",
    "`sign` takes no templates, but it has `{{ env.X }}`",
  ],
  [
    "a brace that is not closed",
    "{method}\n{path",
    "`sign` has a `{` that belongs to no placeholder",
  ],
  [
    "a brace that was not opened",
    "method}",
    "`sign` has a `}` that belongs to no placeholder",
  ],
] as const;

for (const [what, text, message] of wrong) {
  Deno.test(`checkSign: ${what} is named`, () => {
    strictEqual(checkSign(text)?.message, message);
  });
}
