import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import {
  CANONICAL_STRING,
  checkSign,
  parseSign,
  PLACEHOLDERS,
} from "../../../../lib/steps/auth/sign_string.ts";

Deno.test("parseSign: the canonical string has four placeholders and three line ends", () => {
  deepStrictEqual(parseSign(CANONICAL_STRING), [
    { placeholder: "method" },
    "\n",
    { placeholder: "path" },
    "\n",
    { placeholder: "timestamp" },
    "\n",
    { placeholder: "body_sha256" },
  ]);
});

Deno.test("parseSign: text and neighbours are kept as they are", () => {
  deepStrictEqual(parseSign(""), []);
  deepStrictEqual(parseSign("fixed"), ["fixed"]);
  deepStrictEqual(parseSign("a{query}{body}b"), [
    "a",
    { placeholder: "query" },
    { placeholder: "body" },
    "b",
  ]);
});

Deno.test("checkSign: every placeholder the specification names is known", () => {
  for (const name of PLACEHOLDERS) {
    strictEqual(checkSign(`{${name}}`), undefined);
  }
  strictEqual(PLACEHOLDERS.length, 7);
});

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
    throws(() => parseSign(text), new SyntaxError(message));
  });
}
