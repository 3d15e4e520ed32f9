import { equal, match } from "node:assert/strict";
import { EditorDocument } from "../../../../lib/language/editor/document.ts";
import {
  type FileLanguage,
  targetLanguage,
} from "../../../../lib/language/editor/file_language.ts";
import { hover } from "../../../../lib/language/editor/hover.ts";
import type { Surroundings } from "../../../../lib/language/editor/suggestion.ts";
import { cursorIn, FLOW, surroundings } from "../../../support/editor.ts";

/** What is shown at the cursor, and of what. */
function shown(
  marked: string,
  over: Partial<Surroundings> = {},
  language: FileLanguage = FLOW,
): string | undefined {
  const { text, offset } = cursorIn(marked);
  const document = new EditorDocument(text);
  const found = hover(document, offset, language, surroundings(over));
  return found && `${text.slice(found.start, found.end)} | ${found.text}`;
}

const STEP =
  "flow: f\ndata: u.csv\nsteps:\n  - id: one\n    call: GET /\n    extract: { x: $.a.b }\n";

Deno.test("hover: a key has what its field says, its words, and an example of the documentation", () => {
  const text = shown(`${STEP}    retry:\n      on_st¦atus: [429]`)!;
  equal(
    text,
    "on_status | **on_status**: statuses that are retried, each 100 to 599",
  );
  match(
    shown(`${STEP}    ¦retry: {}`)!,
    /^retry \| \*\*retry\*\*: when to[\s\S]*```yaml\n[\s\S]*on_status: \[429/,
  );
  match(
    shown("flow: f\nprofile: { mo¦de: load }")!,
    /^mode .*; integration by default\n\nOne of `integration`/,
  );
});

Deno.test("hover: keys of version 1 say so, with the flow's and an extraction's", () => {
  match(
    shown("version: 1\nflow: f\ncook¦ies: vu\nsteps: []\n")!,
    /^cookies \| \*\*cookies\*\*: keeps the cookies .*\(version 1\)/,
  );
  match(
    shown(
      `version: 1\n${STEP.replace("$.a.b", "{ c¦ss: title, default: x }")}`,
    )!,
    /^css \| \*\*css\*\*: a CSS selector.*\(version 1\)/,
  );
});

Deno.test("hover: the same key in another block has another meaning", () => {
  match(
    shown(`${STEP}  - id: x\n    graphql: { ur¦l: / }`)!,
    /target's first base URL/,
  );
  match(shown(`${STEP}  - id: x\n    ws: { ur¦l: / }`)!, /opens a session/);
  match(
    shown(`${STEP}  - id: x\n    ws: { receive: { ma¦tch: x } }`)!,
    /frames that do not match are skipped/,
  );
});

Deno.test("hover: words, operators, subjects and measures", () => {
  match(
    shown(`${STEP}    auth: { scheme: bea¦rer }`)!,
    /^bearer \| \*\*bearer\*\*: `Authorization/,
  );
  match(
    shown(`${STEP}    assert: [$.a cont¦ains b]`)!,
    /^contains \| \*\*contains\*\*: A string has/,
  );
  match(
    shown(`${STEP}    assert: [$.a not_ex¦ists]`)!,
    /^not_exists \| \*\*not_exists\*\*: The subject is not there/,
  );
  match(shown(`${STEP}    assert: [sta¦tus == 200]`)!, /The status code/);
  match(
    shown(`${STEP}    assert: ["header¦.Age < 60"]`)!,
    /A header field; letter case does not count/,
  );
  match(
    shown("profile: { thresholds: [error¦_rate < 1%] }")!,
    /A share from 0 to 1/,
  );
  equal(
    shown("profile: { thresholds: [p9¦5(latency) < 1s] }"),
    "p95(latency) | **p95(latency)**: A duration.",
  );
});

Deno.test("hover: a variable says where it comes from", () => {
  equal(
    shown(`${STEP}  - id: two\n    call: GET /{{ ¦x }}`),
    "x | **x**: variable, extracted by step `one` from `$.a.b`",
  );
  equal(
    shown(`${STEP}    assert: [¦y == 1]`),
    "y | **y**: variable, extracted by no step",
  );
  equal(
    shown(`${STEP}    headers: { X: "{{ user.na¦me }}" }`),
    "name | **name**: column of u.csv",
  );
});

Deno.test("hover: whether a variable of the environment is set, and never its value", () => {
  const text = `${STEP}    headers: { X: "{{ env.KE¦Y }}" }`;
  match(shown(text)!, /is not set where/);
  match(shown(text, { isSet: (name) => name === "KEY" })!, /is set where/);
});

Deno.test("hover: nothing to say of the author's own texts", () => {
  equal(shown(`${STEP}    body: { na¦me: x }`), undefined);
  equal(shown(`${STEP}    body: { name: st¦atus }`), undefined);
  equal(shown(`${STEP}    headers: { X-¦A: x }`), undefined);
  equal(shown(`${STEP}    # st¦atus`), undefined);
});

Deno.test("hover: keys of a target", () => {
  match(shown("max¦_vus: 5", {}, targetLanguage())!, /No ceiling|no limit/i);
});

Deno.test("hover: a value says how it is drawn", () => {
  const text =
    "version: 1\nflow: f\nvalues: { order: uuid }\nsteps:\n  - { id: a, call: 'GET /{{ or¦der }}' }\n";
  equal(
    shown(text),
    "order | **order**: value `uuid`, drawn anew for each iteration",
  );
});

Deno.test("hover: a stage says what its level and its time are", () => {
  const flow = "version: 1\nflow: f\nprofile:\n  stages:\n    - ";
  match(
    shown(`${flow}{ arr¦ival: 5/s, over: 1s }`)!,
    /request rate at its end/,
  );
  match(shown(`${flow}{ vus: 5, ov¦er: 1s }`)!, /linearly, and `0s` jumps/);
});

Deno.test("hover: a named pool, its columns, and a part of a variable", () => {
  const hovered = (reference: string) =>
    shown(`version: 1
flow: f
pools: { people: { path: p.csv } }
steps:
  - { id: one, call: GET /, extract: { x: $.a } }
  - { id: two, call: "GET /{{ ${reference} }}" }
`);
  equal(hovered("people.na¦me"), "name | **name**: column of p.csv");
  equal(
    hovered("peo¦ple.name"),
    "people | **people**: pool of the rows of p.csv",
  );
  const variable = "x | **x**: variable, extracted by step `one` from `$.a`";
  equal(hovered("¦x.name"), variable);
  equal(hovered("x.na¦me"), undefined);
});
