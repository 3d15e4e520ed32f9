import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { basic } from "../../../../lib/steps/auth/basic.ts";
import { AuthError } from "../../../../lib/steps/auth/scheme.ts";
import { recordingTools, scopeOf } from "./recording_tools.ts";

Deno.test("basic: constant credentials are encoded and registered before the run", () => {
  const tools = recordingTools({ PASSWORD: "open sesame" });
  const { headers } = basic.prepare({
    username: "Aladdin",
    password: "{{ env.PASSWORD }}",
  }, tools);
  strictEqual(
    headers![0]![1].constant,
    "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
  );
  deepStrictEqual(tools.secrets, ["QWxhZGRpbjpvcGVuIHNlc2FtZQ=="]);
});

Deno.test("basic: user and password are UTF-8", () => {
  const { headers } = basic.prepare({
    username: "test",
    password: "{{ env.PASSWORD }}",
  }, recordingTools({ PASSWORD: "123£" }));
  // RFC 7617 section 2.1.
  strictEqual(headers![0]![1].constant, "Basic dGVzdDoxMjPCow==");
});

Deno.test("basic: a user name from the row gives a blob, and a secret, for each row", () => {
  const tools = recordingTools({ PASSWORD: "p" });
  const { headers } = basic.prepare({
    username: "{{ user.name }}",
    password: "{{ env.PASSWORD }}",
  }, tools);
  const [, value] = headers![0]!;
  strictEqual(value.constant, undefined);
  deepStrictEqual(
    ["ada", "ada", "bob", "ada"].map((name) =>
      value.render(scopeOf(undefined, { name }))
    ),
    ["YWRhOnA=", "YWRhOnA=", "Ym9iOnA=", "YWRhOnA="].map((blob) =>
      `Basic ${blob}`
    ),
  );
  deepStrictEqual([...new Set(tools.secrets)], ["YWRhOnA=", "Ym9iOnA="]);
});

Deno.test("basic: a colon in the user name is refused", () => {
  const block = { username: "a:b", password: "{{ env.P }}" };
  deepStrictEqual(
    basic.check!(block).map(({ at, code }) => ({ at, code })),
    [{ at: "/username", code: "bad-username" }],
  );
  throws(() => basic.prepare(block, recordingTools()), AuthError);
  const { headers } = basic.prepare(
    { ...block, username: "{{ user.name }}" },
    recordingTools(),
  );
  throws(
    () => headers![0]![1].render(scopeOf(undefined, { name: "a:b" })),
    AuthError,
  );
});
