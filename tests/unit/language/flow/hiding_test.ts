import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { compileFlow } from "../../../../lib/compile.ts";
import { registry } from "../../../../lib/steps/registry.ts";
import { flowHiding } from "../../../../lib/language/flow/hiding.ts";
import { InputError } from "../../../../lib/base/text/diagnostic.ts";
import {
  diagnosticsJson,
  githubAnnotations,
  renderDiagnostics,
} from "../../../../lib/base/text/render.ts";
import { readCase } from "../../../golden/read_case.ts";
import { yamlInput } from "../../../support/run_in_process.ts";

const STEPS = "steps:\n  - { id: one, call: GET / }\n";

/** Ways to write a secret where none may be; `%` is the secret. */
const YAML: Readonly<Record<string, string>> = {
  "plain": "auth:\n  scheme: bearer\n  token: %",
  "in quotes": 'auth: { scheme: bearer, token: "%" }',
  "in single quotes": "auth: { scheme: bearer, token: '%' }",
  "as JSON": 'auth: {"scheme": "bearer", "token": "%"}',
  "a number": "auth: { scheme: bearer, token: 4711 }",
  "a block": "auth:\n  scheme: bearer\n  token: |\n    %\n    %",
  "folded": "auth:\n  scheme: bearer\n  token: >-\n    %\n    %",
  "plain over lines": "auth:\n  scheme: bearer\n  token: %\n    %",
  "quoted over lines": 'auth: { scheme: bearer, token: "%\n  %" }',
  "with its scheme's word": "auth: { scheme: bearer, token: Bearer % }",
  "beside words of auth": "auth: { scheme: bearer, token: secret % token }",
  "beside a template": 'auth: { scheme: bearer, token: "%{{ env.T }}%" }',
  "with a broken template": 'auth: { scheme: bearer, token: "% {{ }}" }',
  "after an error on the line":
    'auth: { shceme: 1, scheme: basic, username: me, password: "%" }',
  "of a scheme that is none": "auth: { scheme: none, secret: % }",
  "of an unknown scheme": "auth: { scheme: digest, response: % }",
  "without a scheme": "auth: { token: % }",
  "under a misspelt key": "auth: { scheme: bearer, tokn: % }",
  "glued to its key": "auth: { scheme: bearer, token:% }",
  "in a list": "auth: { scheme: bearer, token: [%] }",
  "in a mapping": "auth: { scheme: bearer, token: { a: %, %: b } }",
  "as all of auth": "auth: Bearer %",
  "an alias": "auth: { scheme: basic, username: &a %, password: *a }",
  "with a tag": "auth: { scheme: bearer, token: !!str % }",
  "repeated": "auth: { scheme: bearer, token: %, token: % }",
  // From here on it is no YAML.
  "with a colon": "auth:\n  scheme: bearer\n  token: %: %",
  "with a reserved sign": "auth:\n  scheme: bearer\n  token: @%",
  "with a quote that is not closed": 'auth:\n  scheme: bearer\n  token: "%',
  "text after its quote": 'auth:\n  scheme: bearer\n  token: "%" %',
  "with a bad escape": 'auth:\n  scheme: bearer\n  token: "\\q%"',
  "on the line of a block's mark": "auth:\n  scheme: bearer\n  token: | %",
  "an unquoted template before it": "auth:\n  scheme: x\n  token: {{ a }}%",
  "indented too deep": "auth:\n  scheme: bearer\n  token: %\n    a: %",
  "a tab below": "auth:\n  scheme: bearer\n  token: %\n\ta: 1",
  "a bracket too many": "auth: { scheme: bearer, token: % }}",
  "a bracket too few": "auth: { scheme: bearer, token: %",
  "a missing comma": 'auth: { scheme: bearer, token: "%" "%" }',
  "colon and space inside braces": "auth: { scheme: bearer, token: %: % }",
};

/** The same of a step, and of a location where only frames could show it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "of a step": "{ scheme: bearer, token: % }, nope: 1",
  "of a step, no YAML": "{ scheme: bearer, token: %: x }",
  "without a colon": '{ scheme: bearer, "token" "%" }',
  "in a header without a colon": '{ scheme: none }, headers: { "Cookie" "%" }',
  "in a block": "{ scheme: none }, graphql: { auth: { token: % } }",
  "in a header": '{ scheme: none }, headers: { Authorization: "%" }, nope: 1',
  "in a body": "{ scheme: none }, body: { a: { password: % } }, nope: 1",
  "in a list": "{ scheme: none }, headers: { Authorization: [%] }",
  "in a mapping": "{ scheme: none }, query: { api_key: { %: % } }",
  "under a name in camel case":
    "{ scheme: none }, body: { authToken: % }, nope: 1",
  "beside a template that is broken":
    '{ scheme: none }, headers: { Authorization: "Bearer {{ env.x } %" }',
  "in a template that is none":
    '{ scheme: none }, headers: { X-Token: "{{ % % }}" }',
  "in a query parameter": "{ scheme: none }, poll: { call: GET /?key=% % }",
  "in a query parameter of the call":
    "{ scheme: none }, wait: GET /?a=1&apiKey=%",
  "in a URL": "{ scheme: none }, poll: { call: GET https://me:%@host/ }",
};

const JSON_AUTH: readonly string[] = [
  '{"scheme":"bearer","token":"%"}',
  '{"scheme":"bearer","token":4711}',
  '{"scheme":"bearer","tokn":"%"}',
  '{"scheme":"nope","token":"%"}',
  '"Bearer %"',
  '["%"]',
  '{"scheme":"bearer","token":"%",}',
  '{"scheme":"bearer","token":"%","token":"%"}',
  '{"scheme":"bearer","token":"%',
  // Characters that JSON does not have.
  '{"scheme":"bearer","token":"%\\x%"}',
  '{"scheme":"bearer","token":"%\\ud800%"}',
  '{"scheme":"bearer","token":"%\u0001%"}',
];

/** Everything a person or a program is shown about `text`. */
async function shown(file: string, text: string): Promise<string> {
  try {
    await readCase(file, new TextEncoder().encode(text));
    return "";
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { diagnostics, sources } = error;
    return renderDiagnostics(diagnostics, sources, { color: true }) +
      diagnosticsJson(diagnostics) + githubAnnotations(diagnostics);
  }
}

async function hides(file: string, template: string): Promise<void> {
  const secret = fc.stringMatching(/^[B-Zb-z][A-Za-z0-9$&+=~^!-]{9,90}[0-9]$/);
  await fc.assert(
    fc.asyncProperty(secret, async (each) => {
      const text = template.replaceAll("%", () => each);
      const output = await shown(file, text);
      ok(output !== "", `taken as it is: ${text}`);
      for (let at = 0; at + 8 <= each.length; at += 4) {
        const part = each.slice(at, at + 8);
        ok(!output.includes(part), `${part} of ${each} is in\n${output}`);
      }
      ok(!output.includes("4711"), output);
    }),
    { numRuns: 10 },
  );
}

for (const [how, auth] of Object.entries(YAML)) {
  Deno.test(`no message shows a literal secret: ${how}`, async () => {
    await hides("flow.yaml", `flow: x\n${auth}\n${STEPS}`);
  });
}

for (const [where, rest] of Object.entries(ELSEWHERE)) {
  Deno.test(`no message shows a literal secret: ${where}`, async () => {
    const step = `  - { id: one, call: GET /, auth: ${rest} }\n`;
    await hides("flow.yaml", `flow: x\nsteps:\n${step}`);
  });
}

for (const auth of JSON_AUTH) {
  Deno.test(`no message about IR JSON shows a literal secret: ${auth}`, async () => {
    const step =
      `{"id":"a","kind":"call","on_failure":"abort_flow","block":{"method":"GET","url":"/"},"auth":${auth}}`;
    const profile = '"profile":{"mode":"integration","vus":1}';
    await hides(
      "flow.json",
      `{"flow":"x","ir":1,${profile},"steps":[${step}]}`,
    );
  });
}

for (
  const [how, text] of Object.entries({
    "a key": "token: %",
    "in quotes": 'password: "%"',
    "a mapping": "auth: { scheme: bearer, token: % }",
    "headers": "headers:\n  Authorization: Bearer %",
    "a URL": "base_urls: [https://ada:%@h]",
    "a URL without its scheme": "base_urls: ['ada:%@host']",
    "a query": "base_urls: ['https://h/?access_token=%&b=1']",
    "no YAML": "token: %: %",
    "a quote that is not closed": 'token: "%',
  })
) {
  Deno.test(`no message about a target shows a literal secret: ${how}`, async () => {
    await hides("target.yaml", `name: here\n${text}\nnope: 1\n`);
  });
}

Deno.test("a line with a literal credential is shown in no frame, the others are", async () => {
  const text = `flow: x\nauth: { scheme: bearer, token: "s3 🔑 x" }\n${STEPS}`;
  const error = await compileFlow(yamlInput("f", text))
    .then(() => undefined, (error) => error as InputError);
  const [first] = error!.diagnostics;
  deepEqual(first!.at.range, { line: 2, column: 32, length: 9 });
  equal(error!.sources.get("f"), `flow: x\n\n${STEPS}`);
});

Deno.test("the values of a repeated key are not shown, nor is an escape of one", async () => {
  const output = await shown(
    "flow.yaml",
    `flow: x\nsteps:
  - id: one
    call: GET /
    headers: { X-Token: first-one }
    auth: { scheme: bearer, token: second-one, token: "fou\\x72th-one" }
    body: { password: seventh-one, password: eighth-one }
    nope: 1
`,
  );
  ok(
    !/(?:first|second|fourth|fou.x72th|seventh|eighth)-one/.test(output),
    output,
  );
  ok(output.includes("nope: 1"), output);
});

Deno.test("a body may say what it likes: what is sent is never hidden", async () => {
  const auth = "{ password: hunter22, auth: { token: abc123 } }";
  const text = `flow: x
steps:
  - { id: one, call: POST /, body: ${auth}, headers: { X-Token: hunter22 } }
`;
  const ir = await readCase("flow.yaml", new TextEncoder().encode(text));
  ok(ir.includes('"password":"hunter22"') && ir.includes('"abc123"'), ir);
  ok(ir.includes('"X-Token":"hunter22"'), ir);
});

Deno.test("every secret key of every scheme is hidden, the others are not", () => {
  const hiding = flowHiding(registry);
  for (const { name, fields } of registry.schemes.values()) {
    for (const [key, { value }] of Object.entries(fields)) {
      equal(
        hiding(["auth", key], "x"),
        value.isSecret === true,
        `${name} ${key}`,
      );
    }
  }
});
