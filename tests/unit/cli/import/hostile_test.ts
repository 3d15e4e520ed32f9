import { match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { importCurl } from "../../../../cli/import/curl/import_curl.ts";
import {
  envExample,
  targetYaml,
} from "../../../../cli/import/draft/companion_files.ts";
import type { Draft } from "../../../../cli/import/draft/draft.ts";
import { dataFiles } from "../../../../cli/import/draft/flow_document.ts";
import { flowYaml } from "../../../../cli/import/draft/flow_yaml.ts";
import { readHar } from "../../../../cli/import/har/recording.ts";
import { importHar } from "../../../../cli/import/har/import_har.ts";
import { importOpenapi } from "../../../../cli/import/openapi/import_openapi.ts";
import { readOpenapi } from "../../../../lib/openapi/description.ts";
import { canonical } from "../../../../lib/base/values/canonical.ts";
import { parseTemplate } from "../../../../lib/language/expressions/template.ts";
import { compileFlow, prepareRun } from "../../../../lib/compile.ts";
import { workspace } from "../../../support/bench.ts";
import { documentInput, yamlInput } from "../../../support/run_in_process.ts";

/** Each ends a line, a string or a comment of some format, or begins something. */
const ATTACKS = [
  "a\nimport os; os.system('touch ran')\n",
  "a\r\nimport os; os.system('touch ran')\r\n",
  "a\u2028b\u2029c\u0085d\x0be\x0cf\x00g\x1b]0;h\x07",
  "$(touch ran)`touch ran`;touch ran\n$(touch ran)",
  "'); __import__('os').system('touch ran') #",
  '"""\n__import__("os").system("touch ran")\n"""',
  '\\"\\\n\\u000a\\',
  "a: b # c\n- d\n&e *f !!python/object\n---\n...\n%YAML",
  "{{ env.HOME }}",
  "{{ env.HOME }} {{{ {{ {% }} {{ user.x }}",
  "\ufdd0x.env.HOME\ufdd1 \ud800 %EF%B7%90",
  ":", // of JSON, YAML and ends of names
];

/** A recording in which every field that a browser writes holds the text. */
function hostileHar(text: string): string {
  const pairs = [
    { name: text, value: text },
    { name: `x-${text}`, value: `t ${text}` },
    { name: "X-Token", value: `token ${text}` },
    { name: "Cookie", value: `${text}=${text}; sid=${text}` },
    { name: "Authorization", value: `Bearer ${text}` },
    { name: "Content-Type", value: "application/json" },
    { name: "Set-Cookie", value: `${text}=${text}; Path=/` },
  ];
  const body = {
    [text]: text,
    plain: text,
    list: [text, { [`in ${text}`]: `${text}${text}` }],
    password: text,
    brace: "{",
    big: 1,
  };
  const content = (value: unknown) => ({
    mimeType: "application/json",
    text: JSON.stringify(value).replace('"big":1', '"big":9007199254740993'),
  });
  const url = `http://h.example/a/${encodeURIComponent(text.toWellFormed())}/${
    text.replaceAll(/[\\?#]/g, "")
  }?${encodeURIComponent(text.toWellFormed())}=${
    encodeURIComponent(text.toWellFormed())
  }&token=${encodeURIComponent(text.toWellFormed())}`;
  const entry = (more: object) => ({
    startedDateTime: text,
    comment: text,
    request: {
      method: "POST",
      url,
      headers: pairs,
      postData: content(body),
      comment: text,
      ...more,
    },
    response: {
      status: 200,
      statusText: text,
      headers: pairs,
      content: content({ id: `given-${text}`, [text]: { [text]: text } }),
    },
  });
  return JSON.stringify({
    log: {
      entries: [
        entry({}),
        entry({ method: text }),
        entry({ postData: { mimeType: text, text } }),
        entry({ postData: { mimeType: "a/b", params: pairs } }),
        entry({
          postData: content({
            query:
              `query a($plain: String) { a(b: $plain, password: "${text}") }`,
            variables: { [text]: text, plain: text },
            operationName: text,
          }),
        }),
        entry({
          postData: content({
            query: "query a($plain: String) { a(b: $plain) }",
            variables: { plain: text },
          }),
        }),
        entry({ postData: content({ of: `given-${text}` }) }),
        entry({ url: `http://${text}/x` }),
        entry({ url: "http://other.test/", headers: [] }),
      ],
    },
  });
}

function hostileOpenapi(text: string): string {
  const parameter = (where: string, name = text) => ({
    name,
    in: where,
    required: true,
    example: text,
  });
  const operation = {
    operationId: text,
    summary: text,
    description: text,
    tags: ["t"],
    parameters: ["query", "header", "cookie"].map((each) => parameter(each)),
    requestBody: {
      content: {
        "application/json": {
          schema: {
            type: "object",
            required: [text, "n"],
            properties: {
              [text]: { type: "string", default: text },
              n: { enum: [text] },
            },
          },
        },
      },
    },
    responses: { "200": { description: text }, [text]: {} },
    security: [{ [text]: [text], key: [], oauth: [text, "read"] }],
  };
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: text, description: text },
    servers: [{
      url: "http://h.example/{v}",
      variables: { v: { default: text } },
    }],
    paths: {
      [`/a/${text}/{id}`]: {
        parameters: [parameter("path", "id")],
        post: operation,
        get: { ...operation, requestBody: { content: { [text]: {} } } },
        put: { ...operation, security: [{ oauth: [text] }] },
      },
    },
    components: {
      securitySchemes: {
        [text]: { type: text, name: text, in: text },
        key: { type: "apiKey", in: "header", name: text },
        oauth: {
          type: "oauth2",
          flows: {
            clientCredentials: { tokenUrl: `https://id.example/${text}` },
          },
        },
      },
    },
  });
}

/** The text as a word of bash. */
const word = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function hostileCurl(text: string): string {
  const address = word(`http://h.example/${text.replaceAll(/[\n\r]/g, "")}?a`);
  const body = word(JSON.stringify({ [text]: text, t: `x${text}` }));
  return [
    `curl -g ${address} -H ${word(`X-A: ${text}`)} -H ${word(`${text}: a`)}`,
    `curl http://h.example/ -u ${word(text)} -b ${word(`a=${text}`)}`,
    `curl http://h.example/ --json ${body}`,
    `curl http://h.example/ -d ${word(`${text}=${text}`)} -A ${word(text)}`,
    `curl http://h.example/ -F ${word(`${text}=a`)}`,
    `curl -G http://h.example/ --data-urlencode ${word(`a=${text}`)}`,
    word(`z${text}`) + " not curl",
  ].join("\n");
}

/** What a walk over parsed data meets. */
function* textsOf(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    // Data and documents are never templated.
    if (key === "query" && typeof each === "string") continue;
    yield* textsOf(each);
  }
}

/** Loads, sources and parses everything that would be written. */
async function holds(draft: Draft): Promise<void> {
  const yaml = flowYaml(draft);
  const { flow } = await compileFlow(yamlInput("f.bench.yaml", yaml));
  const made = new Set([
    ...draft.env.map(({ name }) => `env.${name}`),
    ...draft.steps.flatMap(({ extract = {} }) => Object.keys(extract)),
    ...(draft.fixture?.columns ?? []).map((each) => `user.${each}`),
  ]);
  for (const text of textsOf(flow)) {
    for (const part of parseTemplate(text)) {
      if (typeof part === "string") continue;
      const name = [part.root, ...part.path].join(".");
      ok(made.has(name), `${name} is a template in ${text}`);
    }
  }
  for (const { name } of draft.env) match(name, /^[A-Z_][A-Z0-9_]*$/);
  const target = targetYaml(draft);
  using folder = workspace({
    "f.bench.yaml": yaml,
    "t.yaml": target,
    ".env.example": envExample(draft.env),
    ...Object.fromEntries(
      dataFiles(draft).map(({ path, text }) => [path, text]),
    ),
  });
  const cwd = folder.path;
  for (const file of ["f.bench.yaml", "t.yaml", ".env.example"]) {
    const text = Deno.readTextFileSync(join(cwd, file));
    // deno-lint-ignore no-control-regex
    ok(!/[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/.test(text), file + text);
  }
  await prepareRun(
    yamlInput("f.bench.yaml", yaml, cwd),
    yamlInput("t.yaml", target, cwd),
    {
      env: () => "set",
      readBytes: (path) => Deno.readFileSync(path),
    },
  );
  const source = 'set -eu; set -a; . ./.env.example; set +a; printf "%s" ok';
  const { success, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-c", source],
    cwd,
  }).output();
  const said = new TextDecoder().decode(stderr);
  ok(success, said);
  strictEqual(said, "");
  strictEqual(new TextDecoder().decode(stdout), "ok");
  const files = [...Deno.readDirSync(cwd)].map(({ name }) => name);
  ok(!files.includes("ran"), "a command of the recording ran");
}

for (const text of ATTACKS) {
  const shown = JSON.stringify(text);
  Deno.test(`import har: every field is text: ${shown}`, async () => {
    const har = readHar(hostileHar(text), "a.har");
    await holds(importHar(har, undefined, {}).draft);
    const other = readHar(hostileHar(`${text}2`), "b.har");
    await holds(importHar(har, other, {}).draft);
  });

  Deno.test(`import openapi: every field is text: ${shown}`, async () => {
    using folder = workspace({ "a.json": hostileOpenapi(text.toWellFormed()) });
    const document = readOpenapi(join(folder.path, "a.json"));
    for (const draft of importOpenapi(document, {})) await holds(draft);
  });

  if (text.includes("\0")) continue;
  Deno.test(`import curl: every field is text: ${shown}`, async () => {
    await holds(importCurl(hostileCurl(text), { readText: () => text }));
  });
}

Deno.test("import: braces that were imported are sent as they were", async () => {
  const draft = importCurl(
    `curl -g 'https://h.example/{{a}}/b?q={{ env.HOME }}&n=1' -H 'X-A: {{x}}' --json '{"t":"a{{b}}c {{ env.HOME }}","u":"{"}'`,
    { readText: () => "" },
  );
  const { flow } = await compileFlow(yamlInput("f.yaml", flowYaml(draft)));
  const [step] = flow.steps;
  const text = canonical(step as never);
  match(text, /"url":"\/%7B%7Ba%7D%7D\/b"/);
  ok(text.includes(`"q":"{{ '{{' }} env.HOME }}"`), text);
  ok(text.includes(`"t":"a{{ '{{' }}b}}c {{ '{{' }} env.HOME }}"`), text);
  await holds(draft);
});

Deno.test("import: the file says what the draft says", async () => {
  for (const text of ATTACKS.map((each) => each.toWellFormed())) {
    const draft = importCurl(
      `curl http://h.example/ --json ${word(JSON.stringify({ a: text }))}`,
      { readText: () => "" },
    );
    const said = JSON.stringify(draft.steps[0]!.body)
      .replaceAll(/\{\{ '(\{+)' \}\}/g, "$1");
    ok(said.includes(JSON.stringify(text)), said);
    const { flow } = await compileFlow(yamlInput("f.yaml", flowYaml(draft)));
    const { flow: same } = await compileFlow(
      documentInput({
        version: 1,
        flow: draft.name,
        steps: draft.steps.map(({ id, call, headers, body }) => ({
          ...{ id, call, headers, body },
        })),
      }),
    );
    strictEqual(canonical(flow as never), canonical(same as never));
  }
});
