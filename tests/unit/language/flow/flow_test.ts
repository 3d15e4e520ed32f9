import { deepEqual, equal, ok } from "node:assert/strict";
import type { Value } from "../../../../lib/language/fields/field.ts";
import { authForm } from "../../../../lib/language/flow/auth.ts";
import {
  flowFields,
  type ParsedFlow,
} from "../../../../lib/language/flow/flow.ts";
import { readFlowInput } from "../../../../lib/language/flow/input.ts";
import { stepFields } from "../../../../lib/language/flow/step.ts";
import { target } from "../../../../lib/language/flow/target.ts";
import { registry } from "../../../../lib/steps/registry.ts";
import { Reader } from "../../../../lib/language/source/reader.ts";
import { yamlInput } from "../../../support/run_in_process.ts";

function parse(text: string) {
  const reader = new Reader("flow.yaml");
  const read = readFlowInput(yamlInput("f", text), registry, reader);
  return { flow: (read as ParsedFlow | undefined)?.flow, reader };
}

const flowOf = (steps: number) =>
  `flow: x\nsteps:\n${
    Array.from({ length: steps }, (_, i) => `  - { id: s${i}, wait: 1s }\n`)
      .join("")
  }`;

Deno.test("readFlowInput() takes 1,000 steps and not one more", () => {
  const most = parse(flowOf(1_000));
  equal(most.reader.diagnostics.found.length, 0);
  equal(most.flow?.steps.length, 1_000);
  const [found, ...rest] = parse(flowOf(1_001)).reader.diagnostics.found;
  equal(found?.code, "too-many-steps");
  equal(found?.at.range?.line, 1_003);
  equal(rest.length, 0);
});

Deno.test("readFlowInput() locates every part of the IR where it was written", () => {
  const { reader } = parse(`flow: shop
data: users.csv
auth: { scheme: bearer, token: "{{ env.T }}" }
profile:
  mode: load
  vus: { ramp: 1 -> 2 over 3s, hold: 4s }
  thresholds:
    - error_rate < 1%
steps:
  - id: one
    call: GET /a
    headers: { X-A: "1" }
    extract:
      v: $.v
    assert:
      - status == 200
    retry: { on_status: [503], backoff: fixed, max_attempts: 2 }
    throttle: { statuses: [420] }
    on_failure: record
`);
  deepEqual(reader.diagnostics.found, []);
  const locations = Object.fromEntries(
    [...reader.locations].map((
      [pointer, { range }],
    ) => [pointer, `${range!.line}:${range!.column}`]),
  );
  const expected = {
    "": "1:1",
    "/flow": "1:7",
    "/pools/0/path": "2:7",
    "/steps/0/auth": "3:7",
    "/steps/0/auth/token": "3:32",
    "/profile/mode": "5:9",
    "/profile/vus": "6:8",
    "/profile/hold_us": "6:38",
    "/profile/thresholds/0": "8:7",
    "/steps": "10:3",
    "/steps/0": "10:5",
    "/steps/0/id": "10:9",
    "/steps/0/kind": "11:5",
    "/steps/0/block/url": "11:11",
    "/steps/0/block/headers/X-A": "12:21",
    "/steps/0/extract/v": "14:7",
    "/steps/0/assert/0": "16:9",
    "/steps/0/retry": "17:12",
    "/steps/0/retry/on_status": "17:25",
    "/steps/0/throttle/statuses/0": "18:28",
    "/steps/0/on_failure": "19:17",
  };
  for (const [pointer, location] of Object.entries(expected)) {
    equal(locations[pointer], location, pointer);
  }
});

Deno.test("readFlowInput() leaves out of a step what it could not read, and keeps the rest", () => {
  const { flow } = parse(`flow: x
steps:
  - id: login
    call: login
    headers: { A: b, C: [] }
    extract: { token: token }
  - id: odd
    poll: often
`);
  const [step, odd] = flow!.steps;
  equal(step?.kind, "call");
  deepEqual(step?.block, { headers: { A: "b" } });
  equal(odd?.kind, "");
  deepEqual(step?.extract, { token: { from: "body", path: "$" } });
});

Deno.test("readFlowInput() returns nothing when there is no list of steps", () => {
  equal(parse("flow: x\n").flow, undefined);
  equal(parse("flow: x\nsteps: none\n").flow, undefined);
  equal(parse("").flow, undefined);
});

Deno.test("readFlowInput() copies the flow's auth to request-making steps alone", () => {
  const { flow } = parse(`flow: x
auth: { scheme: bearer, token: "{{ env.T }}" }
steps:
  - { id: a, call: GET / }
  - { id: b, wait: 1s }
  - { id: c, call: GET /, auth: { scheme: none } }
`);
  deepEqual(flow!.steps.map(({ auth }) => auth?.scheme), [
    "bearer",
    undefined,
    undefined,
  ]);
});

Deno.test("readFlowInput() reports an error of the flow's auth once, however many steps inherit it", () => {
  const { reader } = parse(`flow: x
auth: { scheme: bearer, tokn: "{{ env.T }}" }
steps:
  - { id: a, call: GET / }
  - { id: b, call: GET / }
`);
  equal(reader.diagnostics.found.length, 1);
});

Deno.test("every key of every mapping says what it is, and what may be under it", () => {
  const walk = ({ inside }: Value<unknown>, path: string) => {
    for (const [key, { doc, value }] of Object.entries(inside?.fields ?? {})) {
      const own = `${path}.${key}`;
      ok(doc.length > 5 && !doc.includes("\n"), own);
      ok(Object.keys(value.form).length > 0, own);
      walk(value, own);
    }
    if (inside?.item) walk(inside.item, `${path}[]`);
  };
  const flow = { inside: { fields: flowFields(registry) } };
  walk(flow as unknown as Value<unknown>, "flow");
  walk(target, "target");
  ok(Object.keys(authForm(registry.schemes)).length > 0);
});

Deno.test("every action kind is a key of a step", () => {
  const keys = stepFields(registry);
  for (const kind of registry.kinds.keys()) ok(kind in keys, kind);
});
