import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import {
  readToken,
  type TokenEndpointResponse,
} from "../../../../lib/steps/auth/token_response.ts";
import { granted } from "./token_exchange.ts";

const URL = "http://127.0.0.1/token";

const useless: readonly [string, TokenEndpointResponse, string, string][] = [
  [
    "another status",
    { status: 503, body: "<html>" },
    "token-status",
    "must respond with status 200, but it responded with 503",
  ],
  [
    "an error under status 200",
    { status: 200, body: '{"error":"bad_code","error_description":"no"}' },
    "token-missing",
    "responded with status 200 without an `access_token` (bad_code: no)",
  ],
  [
    "a redirect",
    { status: 302, body: "" },
    "token-status",
    "must respond with status 200, but it responded with 302",
  ],
  [
    "HTML",
    { status: 200, body: "<html>" },
    "token-not-json",
    "must respond with a JSON object, but the body is text that is not JSON",
  ],
  [
    "nothing",
    { status: 200, body: "" },
    "token-not-json",
    "must respond with a JSON object, but the body is an empty body",
  ],
  [
    "a JSON list",
    { status: 200, body: "[]" },
    "token-not-json",
    "must respond with a JSON object, but the body is other JSON",
  ],
  [
    "no access token",
    { status: 200, body: '{"token":"x"}' },
    "token-missing",
    "responded with status 200 without an `access_token`",
  ],
  [
    "an empty access token",
    { status: 200, body: '{"access_token":""}' },
    "token-missing",
    "responded with status 200 with an `access_token` that is empty or no text",
  ],
  [
    "an access token that is a number",
    { status: 200, body: '{"access_token":7}' },
    "token-missing",
    "responded with status 200 with an `access_token` that is empty or no text",
  ],
  [
    "another token type",
    granted("t", { token_type: "mac" }),
    "token-type",
    'must be bearer, but it is "mac"',
  ],
  [
    "a lifetime in words",
    granted("t", { expires_in: "1h" }),
    "token-lifetime",
    'must be a number of seconds, 0 or more, but it is "1h"',
  ],
  [
    "a negative lifetime",
    granted("t", { expires_in: -1 }),
    "token-lifetime",
    "must be a number of seconds, 0 or more, but it is -1",
  ],
];

for (const [what, response, code, words] of useless) {
  Deno.test(`readToken: a response with ${what} is an error in clear words`, () => {
    throws(() => readToken(response, URL), (error: unknown) => {
      const { name, message } = error as Error;
      deepStrictEqual([name, (error as { code: string }).code], [
        "AuthError",
        code,
      ]);
      strictEqual(message.includes(words), true, message);
      strictEqual(message.includes(URL), true, message);
      return true;
    });
  });
}

Deno.test("readToken: an absent token_type is taken for bearer, in any letter case", () => {
  for (const type of [undefined, "bearer", "BEARER"]) {
    strictEqual(readToken(granted("t", { token_type: type }), URL).token, "t");
  }
});

Deno.test("readToken: a token may come with any status that says so", () => {
  for (const status of [200, 201, 203]) {
    strictEqual(readToken({ ...granted("t"), status }, URL).token, "t");
  }
  throws(() => readToken({ status: 201, body: "{}" }, URL), {
    message:
      `token endpoint \`${URL}\` responded with status 201 without an \`access_token\``,
  });
});

Deno.test("readToken: a lifetime may be written as a string, or be absent", () => {
  const life = (value: unknown) =>
    readToken(granted("t", { expires_in: value }), URL).expiresIn;
  deepStrictEqual(
    [3600, "3600", "0.5", undefined, null].map(life),
    [3600, 3600, 0.5, undefined, undefined],
  );
});
