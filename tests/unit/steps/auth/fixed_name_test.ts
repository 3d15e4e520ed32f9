import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { apiKey } from "../../../../lib/steps/auth/api_key.ts";
import { cookie } from "../../../../lib/steps/auth/cookie.ts";
import {
  fixedName,
  nameErrors,
} from "../../../../lib/steps/auth/fixed_name.ts";
import { hmac } from "../../../../lib/steps/auth/hmac.ts";
import { AuthError } from "../../../../lib/steps/auth/scheme.ts";
import { defaultsOf, recordingTools } from "./recording_tools.ts";

const { names } = recordingTools({ FIELD: "X-From-Env", EVIL: "X\r\nY" });

Deno.test("fixedName: literals and env are known before the run", () => {
  strictEqual(fixedName("X-Key", "name", "header field", names), "X-Key");
  strictEqual(
    fixedName("{{ env.FIELD }}", "name", "header field", names),
    "X-From-Env",
  );
});

const refused = [
  [
    "a row's value changes",
    "{{ user.field }}",
    "header field",
    "changing-name",
  ],
  ["a variable changes", "X-{{ token }}", "cookie", "changing-name"],
  ["a space ends a field name", "X Key", "header field", "bad-name"],
  ["a line break from env", "{{ env.EVIL }}", "header field", "bad-name"],
  ["a cookie name is a token", "a=b", "cookie", "bad-name"],
  ["it frames the request", "content-Length", "header field", "framing-header"],
  ["nothing is no name", "", "query parameter", "bad-name"],
] as const;

for (const [what, text, use, code] of refused) {
  Deno.test(`fixedName: ${what}, so it is refused`, () => {
    throws(() => fixedName(text, "name", use, names), (error: unknown) => {
      return error instanceof AuthError && error.code === code;
    });
  });
}

Deno.test("fixedName: a query parameter may hold any character", () => {
  strictEqual(fixedName("a b[]", "name", "query parameter", names), "a b[]");
});

Deno.test("nameErrors: says what changes, and how to help it", () => {
  deepStrictEqual(
    nameErrors({ name: "X-{{user.field}}" }, "name", "header field"),
    [{
      at: "/name",
      code: "changing-name",
      message:
        "`name` is not templated, so that it is the same for every request, but `{{ user.field }}` can change",
      hint: "write the name out, or take it from {{ env.* }}",
    }],
  );
});

Deno.test("check: api_key, cookie and hmac look at their names", () => {
  const value = "{{ env.V }}";
  const found = [
    apiKey.check!({ name: "a b", value, in: "header" }),
    apiKey.check!({ name: "a b", value, in: "query" }),
    cookie.check!({ name: "a b", value }),
    hmac.check!({ ...defaultsOf(hmac), secret: value, header: "a b" }),
    hmac.check!({
      ...defaultsOf(hmac),
      secret: value,
      key_id: "a",
      key_id_header: "a b",
    }),
    hmac.check!({
      ...defaultsOf(hmac),
      secret: value,
      timestamp_header: "a b",
    }),
  ];
  deepStrictEqual(found.map((each) => each.map(({ at }) => at)), [
    ["/name"],
    [],
    ["/name"],
    ["/header"],
    ["/key_id_header"],
    ["/timestamp_header"],
  ]);
});

Deno.test("headerNames: a key in the query writes no field, a template names none", () => {
  const block = { name: "X-Key", value: "{{ env.V }}" };
  deepStrictEqual(apiKey.headerNames!({ ...block, in: "header" }), ["x-key"]);
  deepStrictEqual(apiKey.headerNames!({ ...block, in: "query" }), []);
  deepStrictEqual(
    apiKey.headerNames!({ ...block, in: "header", name: "{{ env.FIELD }}" }),
    [],
  );
});
