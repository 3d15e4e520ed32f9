import { deepStrictEqual, equal } from "node:assert/strict";
import { expressShop } from "../support/express_shop.ts";
import { runFixture } from "../support/run_fixture.ts";

const FLOW = `version: 1
flow: form_login
cookies: iteration
data: users.csv
profile: PROFILE
steps:
  - id: form
    call: GET /login
    extract:
      csrf: { css: 'input[name=_csrf]', attribute: value }
  - id: login
    call: POST /login
    form: { _csrf: "{{ csrf }}", user: "{{ user.name }}", password: "{{ env.PASSWORD }}" }
    assert: [status == 303, header.Location == /account]
  - id: account
    call: GET /account
    assert: [status == 200, '$.user == {{ user.name }}']
`;

function loginFixture(profile: string, url: string, rows = 3) {
  const names = Array.from({ length: rows }, (_, n) => `u${n}\n`).join("");
  return runFixture({
    flow: FLOW.replace("PROFILE", profile),
    url,
    files: { "users.csv": `name\n${names}` },
  });
}

const env = { PASSWORD: "sesame" };

Deno.test("a login by a form with a CSRF token at a server made with Express, once for each user", async () => {
  await using shop = await expressShop();
  using fixture = loginFixture("{ mode: integration }", shop.url);
  const { code, stdout, stderr } = await fixture.run([], { env });
  equal(code, 0, stdout + stderr);
  deepStrictEqual([...shop.members].sort(), ["u0", "u1", "u2"]);
  // Without the cookies the token belongs to no session.
  using without = runFixture({
    flow: FLOW.replace("cookies: iteration\n", "")
      .replace("PROFILE", "{ mode: integration }"),
    url: shop.url,
    files: { "users.csv": "name\nu9\n" },
  });
  equal((await without.run([], { env })).code, 1);
  equal(shop.members.has("u9"), false);
});

Deno.test("the same as a load of 200 virtual users on two workers", async () => {
  await using shop = await expressShop();
  const profile = "{ mode: load, vus: 200, iterations: 400 }";
  using fixture = loginFixture(profile, shop.url, 400);
  const { code, stdout, stderr, meta } = await fixture.run(
    ["--workers", "2"],
    { env },
  );
  equal(code, 0, stdout + stderr);
  equal(shop.logins, 400);
  equal(shop.members.size, 400);
  deepStrictEqual(
    [meta.iterations.passed, meta.iterations.failed],
    [400, 0],
  );
});
