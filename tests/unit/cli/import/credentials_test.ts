import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { importCurl } from "../../../../cli/import/curl/import_curl.ts";
import { envExample } from "../../../../cli/import/draft/companion_files.ts";
import type { Draft } from "../../../../cli/import/draft/draft.ts";
import { dataFiles } from "../../../../cli/import/draft/flow_document.ts";
import { flowYaml } from "../../../../cli/import/draft/flow_yaml.ts";
import { readHar } from "../../../../cli/import/har/recording.ts";
import { importHar } from "../../../../cli/import/har/import_har.ts";
import { allText, compiled } from "./imported.ts";

/** Everything that would be written, data as well. */
function everything(draft: Draft): string {
  const files = dataFiles(draft).map(({ text }) => text);
  return [allText(draft), ...files].join("\n");
}

const curl = (script: string) => importCurl(script, { readText: () => "" });
const json = (value: unknown) =>
  `curl https://h.example/a --json '${JSON.stringify(value)}'`;

async function isHidden(draft: Draft, secret = "geheim"): Promise<void> {
  const text = everything(draft);
  ok(!text.includes(secret), text);
  const { secrets = [] } = draft.fixture ?? {};
  ok(draft.env.length + secrets.length > 0, text);
  await compiled(draft);
}

Deno.test("import: fields, parameters and headers that name a credential", async () => {
  const fields = [
    ..."pass pwd pw pin otp cvv ssn auth key session_id sessionId cardNumber"
      .split(" "),
    ..."card_number PASSWORD passWord userPassword ApiKey access-token".split(
      " ",
    ),
    ..."password1 password_2 passwordConfirm password_confirmation pass_again"
      .split(" "),
  ];
  for (const name of fields) {
    await isHidden(curl(json({ [name]: "geheim-1" })));
    await isHidden(curl(json({ a: [{ [name]: "geheim-1" }] })));
    await isHidden(curl(`curl 'https://h.example/a?b=1&${name}=geheim-1'`));
    await isHidden(curl(`curl 'https://h.example/a?b&${name}=geheim-1'`));
  }
  for (const name of ["X-Session", "X-Auth", "X-Api-Key", "X-Access-Token"]) {
    await isHidden(curl(`curl https://h.example/ -H '${name}: geheim-1'`));
  }
  await isHidden(curl(json({ credentials: { type: "x", value: "geheim-1" } })));
  await isHidden(curl(json({ auth: [{ deep: { user: "geheim-1" } }] })));
  await isHidden(curl(json({ card: { number: 4111_1111_1111 } })), "4111");
  const draft = curl(json({ pin: 4711, cardNumber: 4111_1111_1111_1111 }));
  await isHidden(draft, "4711");
  await isHidden(draft, "4111");
  match(
    flowYaml(draft),
    /# Field pin was a number; from a variable it is text\./,
  );
});

Deno.test("import: what shells set is never the variable of a credential", () => {
  for (
    const name of "pwd user path home username email shell lang ci session"
      .split(" ")
  ) {
    const draft = curl(
      `curl https://h.example/ -d '${name}=eyJhbGciOi.J9x.y&b=1'`,
    );
    const { env: [variable] } = draft;
    strictEqual(variable?.name, `IMPORTED_${name.toUpperCase()}`);
    match(envExample(draft.env), new RegExp(`^${variable.name}=$`, "m"));
    // A shell reads `pa ss`, `pa$ss` and `pa'ss` as other values.
    match(envExample(draft.env), /^# {3}bench run .* --env-file \.env$/m);
  }
});

Deno.test("import: credentials under other names, and in URLs of headers", async () => {
  const query =
    "mutation A($p: String!) { login(user: 1, password: $p) { id } }";
  const given = { query, variables: { p: "geheim-1" } };
  await isHidden(curl(json(given)));
  await isHidden(curl(json([given])));
  await isHidden(
    curl(
      "curl https://h.example/ -e 'https://x.example/?access_token=geheim-1'",
    ),
  );
});

Deno.test("import: credentials inside a text", async () => {
  const texts = [
    'mutation { login(user: "ada", password: "geheim-1") { id } }',
    'query a($token: String = "geheim-1") { a(t: $token) }',
    'mutation { login(password: """geheim-1""") { id } }',
  ];
  for (const query of texts) await isHidden(curl(json({ query })));
  for (
    const text of [
      JSON.stringify({ user: "ada", password: "geheim-1" }),
      JSON.stringify({ credentials: { value: "geheim-1" } }),
      JSON.stringify([{ a: JSON.stringify({ b: 1 }), token: "geheim-1" }]),
      "https://ada:geheim-1@h.example/",
      "<a><w:Password Type='x'>geheim-1</w:Password><b>1</b></a>",
      '<login user="ada" password = "geheim-1"/>',
      '{"password": "geheim-1", // as JSON5\n}',
      "https://h.example/?a=1&password=geheim-1#x",
      "user=ada&pass=geheim-1",
      "token=geheim-1",
    ]
  ) {
    await isHidden(curl(json({ text })));
    await isHidden(
      curl(`curl -G https://h.example/ --data-urlencode 'u=${text}'`),
    );
  }
  await isHidden(
    curl("curl https://h.example/ -F 'geheim-1 and geheim-2=@-' -u a:b"),
  );
});

Deno.test("import: a password that is a word is replaced in its own field alone", async () => {
  const draft = curl(
    [
      "curl -u admin:admin https://h.example/admin/users -H 'X-Admin: by admin'",
      json({ username: "test", password: "test", note: "a test of string" }),
      "curl https://h.example/password/reset -d 'user=bob&password=password'",
    ].join("\n"),
  );
  const { steps } = await compiled(draft);
  const [basic, login, reset] = steps.map(({ block }) => block);
  deepStrictEqual(basic, {
    headers: { "X-Admin": "by admin" },
    method: "GET",
    url: "/admin/users",
  });
  deepStrictEqual(steps[0]?.auth, {
    scheme: "basic",
    username: "{{ env.API_USERNAME }}",
    password: "{{ env.API_PASSWORD }}",
  });
  deepStrictEqual(login?.["body"], {
    username: "test",
    password: "{{ env.PASSWORD }}",
    note: "a test of string",
  });
  strictEqual(reset?.["url"], "/password/reset");
  deepStrictEqual(reset["form"], [
    { name: "user", value: "bob" },
    { name: "password", value: "{{ env.PASSWORD_2 }}" },
  ]);
});

Deno.test("import: a credential that is its own name is replaced in its own field alone", async () => {
  const draft = curl(
    "curl https://h.example/refresh_token -d 'grant_type=refresh_token&refresh_token=refresh_token'",
  );
  const [step] = (await compiled(draft)).steps;
  strictEqual(step?.block["url"], "/refresh_token");
  deepStrictEqual(step.block["form"], [
    { name: "grant_type", value: "refresh_token" },
    { name: "refresh_token", value: "{{ env.REFRESH_TOKEN }}" },
  ]);
});

Deno.test("import: a credential is replaced wherever it stands", async () => {
  const secret = 'geheim "1" ä';
  const inJson = JSON.stringify(secret).slice(1, -1);
  const inUrl = encodeURIComponent(secret);
  const draft = curl([
    `curl https://h.example/x/${inUrl}/y?free=a-${inUrl}-b`,
    `curl 'https://h.example/x?${inUrl}&b' -H 'X-Note: it is ${secret}'`,
    json({
      text: `free ${secret} text`,
      inside: JSON.stringify({ a: secret }),
    }),
    json({ query: `{ a(b: "${inJson}") }` }),
    json({
      query: "query a($b: String) { a(b: $b) }",
      variables: { b: secret },
    }),
    `curl https://h.example/ -d '${inUrl}=1' -F 'x${secret}=2'`,
    json({ password: secret }),
  ].join("\n"));
  await isHidden(draft);
  deepStrictEqual(draft.env.map(({ name }) => name), ["PASSWORD"]);
});

interface Request {
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly gives?: unknown;
}

function har(...requests: Request[]) {
  const pairs = (fields: Record<string, string> = {}) =>
    Object.entries(fields).map(([name, value]) => ({ name, value }));
  const entries = requests.map(({ url, body, headers, gives }) => ({
    request: {
      method: body === undefined ? "GET" : "POST",
      url: `https://h.example${url}`,
      headers: pairs(headers),
      ...(body !== undefined && {
        postData: { mimeType: "application/json", text: JSON.stringify(body) },
      }),
    },
    response: {
      status: 200,
      content: { mimeType: "application/json", text: JSON.stringify(gives) },
    },
  }));
  return readHar(JSON.stringify({ log: { entries } }), "a.har");
}

Deno.test("import har: what a response gave is replaced inside other text of later requests", async () => {
  const { draft } = importHar(
    har(
      {
        url: "/login",
        body: { password: "geheim-1" },
        gives: { token: "geheim-token-77" },
      },
      {
        url: "/a?note=with-geheim-token-77",
        headers: { Authorization: "Bearer geheim-token-77" },
        body: { query: '{ a(b: "geheim-token-77") }' },
      },
    ),
    undefined,
    {},
  );
  await isHidden(draft);
  match(flowYaml(draft), /note: "with-\{\{ token \}\}"/);
});

Deno.test("import har: no column of a fixture holds a credential of either recording", async () => {
  const visit = (note: string, password: string) =>
    har(
      { url: "/a", body: { note, name: `n-${password.length}` } },
      { url: "/login", body: { password } },
    );
  const { draft } = importHar(
    visit("plain", "geheim-1"),
    visit("with geheim-two", "geheim-two"),
    {},
  );
  await isHidden(draft);
  deepStrictEqual(draft.fixture?.columns, ["name", "password"]);
});

Deno.test("import har: a number that an earlier response gave is taken from there", async () => {
  const one = (id: number) =>
    har(
      { url: "/orders", body: { a: 1 }, gives: { id, total: 12 } },
      { url: "/pay", body: { order: id, amount: 12 } },
    );
  for (const id of [101559, 7]) {
    const { draft } = importHar(one(id), undefined, {});
    match(flowYaml(draft), /order: "\{\{ order_id \}\}"\n {6}amount: 12\n/);
    await compiled(draft);
  }
  const journey = (n: number) =>
    har(
      { url: "/orders", body: { a: 1 }, gives: { order: n } },
      { url: `/orders/${n}` },
      { url: `/pay?order=${n}`, body: { nr: n } },
      { url: "/graphql", body: { query: `{ order(id: ${n}) { id } }` } },
    );
  for (const again of [undefined, journey(202660)]) {
    const { draft } = importHar(journey(101559), again, {});
    const text = everything(draft);
    ok(!/101559|202660/.test(text), text);
    await compiled(draft);
  }
  const odd = (n: number) =>
    har(
      { url: "/a", gives: { what: { n } } },
      { url: "/b", body: { thing: n, count: 3 } },
      { url: "/c" },
    );
  const { draft } = importHar(odd(33), odd(44).slice(0, 2), {});
  match(flowYaml(draft), /thing: "\{\{ n \}\}"\n {6}count: 3\n/);
  deepStrictEqual(draft.notes, [
    "the second recording has 2 of the 3 requests: what the others send was compared with nothing",
  ]);
});

Deno.test("import: a name that holds a credential is left out", async () => {
  const draft = curl([
    json({ "geheim-1": 1, list: [{ "x-geheim-1": 2, kept: 3 }] }),
    "curl https://h.example/ -H 'X-geheim-1: a' -H 'X-Kept: b'",
    json({ password: "geheim-1" }),
  ].join("\n"));
  await isHidden(draft);
  match(flowYaml(draft), /- kept: 3/);
  match(flowYaml(draft), /X-Kept: b/);
});
