import { strictEqual } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";
import { compileFlow } from "../../../../lib/compile.ts";
import { registry } from "../../../../lib/steps/registry.ts";
import { flowSchema } from "../../../../lib/language/editor/file_language.ts";
import { yamlInput } from "../../../support/run_in_process.ts";

/*
 * Spellings that are legal and easily refused by a pattern: an editor must not
 * mark what the parser takes.
 */
const validate = new Ajv2020({ strict: false }).compile(flowSchema(registry));

const step = (lines: string) =>
  `flow: a\nsteps:\n  - id: a\n    call: GET /\n    extract: { v: $.v }\n${lines}`;
const assertion = (text: string) =>
  step(`    assert: [${JSON.stringify(text)}]\n`);
const profile = (text: string) =>
  `flow: a\nprofile: { ${text} }\nsteps: [{ id: a, call: GET / }]\n`;
const only = (text: string) => `flow: a\nsteps: [{ id: a, ${text} }]\n`;

const FLOWS: Readonly<Record<string, string>> = {
  "an assertion without spaces": assertion("status==200"),
  "a path with a space in brackets": assertion("$['a b'] == 1"),
  "a path with a filter": assertion("$.a[?@.b > 1] not_exists"),
  "a header with another letter case": assertion("Header.X-Y != null"),
  "a variable with a path": assertion("v.x == 1"),
  "a quoted value with spaces": assertion('$.a contains "x y"'),
  "a status and a latency that exist": step(
    "    assert: [status exists, latency != null]\n",
  ),
  "a template on the right": assertion("$.a == {{ v }}"),
  "a template on the right, in quotes": assertion("$.a=='{{v.x}}'"),
  "a latency against a template": assertion("latency < {{ v }}"),
  "names in brackets": `flow: a
steps:
  - { id: a, call: "GET /{{ env['A'] }}", extract: { o: $.o } }
  - { id: b, call: GET /, auth: { scheme: bearer, token: "{{ o['a token'] }}" } }
`,
  "a header against a number": assertion("header.X >= 3"),
  "a rate with an exponent, and one with a space": profile(
    "mode: load, hold: 1s, thresholds: [error_rate < 1e-2, throttle_rate < 1 %]",
  ),
  "a latency without spaces": assertion("latency<1s"),
  "a rate without a leading zero": profile(
    "mode: load, hold: 1s, thresholds: [error_rate<.5]",
  ),
  "a threshold with white space around it": profile(
    "mode: load, hold: 1s, thresholds: [' p99(latency) >= 1.5s ']",
  ),
  "a rate per duration": profile(
    "mode: load, iterations: 2, arrival_cap: 5/1.5s",
  ),
  "a ramp from 0, without spaces": profile(
    "mode: load, vus: { ramp: '0->5 over 1s' }",
  ),
  "an empty profile": profile(""),
  "a URL that begins with a template": only('call: "GET {{ env.URL }}/x"'),
  "a URL with braces of its own": only('call: "GET /x?{a}={{env.B}}"'),
  "an id with a space": 'flow: a\nsteps: [{ id: "a b", wait: 0s }]\n',
  "empty mappings and lists": step(
    "    headers: {}\n    query: { a: [] }\n    assert: []\n    throttle: {}\n",
  ),
  "a body that is nothing": step("    body:\n"),
  "an unnamed session": only("ws: { url: /, session: , receive: {} }"),
  "a method with a leading slash": only(
    "grpc: { proto: a.proto, method: /a.B/C, message: {} }",
  ),
  "numbers with a decimal point that are whole": step(
    "    retry: { on_status: [500.0], backoff: fixed, max_attempts: 2.0 }\n",
  ),
};

for (const [what, yaml] of Object.entries(FLOWS)) {
  Deno.test(`flowSchema takes ${what}, as the parser does`, async () => {
    await compileFlow(yamlInput("flow.yaml", yaml));
    strictEqual(validate(parse(yaml)), true, JSON.stringify(validate.errors));
  });
}
