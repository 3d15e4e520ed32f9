import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { oauth2 } from "../../../../lib/steps/auth/oauth2.ts";
import { apply } from "../../../contract/auth_contract.ts";
import { draftOf, recordingTools, scopeOf } from "./recording_tools.ts";

const BLOCK = {
  scheme: "oauth2_client_credentials",
  token_url: "http://127.0.0.1:{{ env.PORT }}/token",
  client_id: "app",
  client_secret: "{{ env.SECRET }}",
  scopes: ["read", "write"],
};
const ENV = { PORT: "80", SECRET: "s" };

Deno.test("oauth2: the request for a token is rendered, scopes joined by spaces", async () => {
  const tools = recordingTools(ENV);
  await apply(oauth2.prepare(BLOCK, tools), scopeOf());
  deepStrictEqual(tools.fetched, [{
    tokenUrl: "http://127.0.0.1:80/token",
    clientId: "app",
    clientSecret: "s",
    scope: "read write",
  }]);
});

Deno.test("oauth2: a value in the token URL is data, as in the URL of a step", async () => {
  const tools = recordingTools({ ...ENV, TENANT: "C#/a b?c", KEY: "1&2" });
  const authorizer = oauth2.prepare({
    ...BLOCK,
    token_url: "http://127.0.0.1/{{ env.TENANT }}/token?key={{ env.KEY }}",
  }, tools);
  await apply(authorizer, scopeOf());
  deepStrictEqual(tools.fetched.map(({ tokenUrl }) => tokenUrl), [
    "http://127.0.0.1/C%23/a%20b%3Fc/token?key=1%262",
  ]);
});

Deno.test("oauth2: with a token in hand there is nothing to wait for", async () => {
  const tools = recordingTools(ENV);
  const authorizer = oauth2.prepare(BLOCK, tools);
  await apply(authorizer, scopeOf());
  strictEqual(authorizer.ready!(scopeOf()), undefined);
  strictEqual(tools.fetched.length, 1);
});

Deno.test("oauth2: a token that runs out between ready and sign is still sent", async () => {
  const tools = recordingTools(ENV);
  const authorizer = oauth2.prepare(BLOCK, tools);
  await authorizer.ready!(scopeOf());
  tools.held = undefined;
  deepStrictEqual(authorizer.sign!(draftOf(), scopeOf()), [
    ["Authorization", "Bearer fetched-1"],
  ]);
});

Deno.test("oauth2: credentials from the row give each VU its own token", async () => {
  const tools = recordingTools(ENV);
  const authorizer = oauth2.prepare(
    { ...BLOCK, client_id: "{{ user.id }}" },
    tools,
  );
  const ada = scopeOf(undefined, { id: "ada" });
  const bob = scopeOf(undefined, { id: "bob" });
  await authorizer.ready!(ada);
  tools.held = undefined;
  tools.next = "fetched-2";
  await authorizer.ready!(bob);
  deepStrictEqual(tools.fetched.map(({ clientId }) => clientId), [
    "ada",
    "bob",
  ]);
  deepStrictEqual(authorizer.sign!(draftOf(), ada)[0]![1], "Bearer fetched-1");
  deepStrictEqual(authorizer.sign!(draftOf(), bob)[0]![1], "Bearer fetched-2");
});

Deno.test("oauth2: signing before a token was fetched is an error", () => {
  const tools = recordingTools(ENV);
  const authorizer = oauth2.prepare(BLOCK, tools);
  throws(() => authorizer.sign!(draftOf(), scopeOf()), { name: "AuthError" });
});

for (const id of ["app", "{{ user.id }}"]) {
  Deno.test(`oauth2: a refused token of client \`${id}\` is reported with the time of its request`, async () => {
    const tools = recordingTools(ENV);
    const authorizer = oauth2.prepare({ ...BLOCK, client_id: id }, tools);
    const scope = scopeOf(undefined, { id: "ada" });
    await authorizer.ready!(scope);
    authorizer.refused!(scope, 42);
    deepStrictEqual(tools.refused, [42]);
  });
}
