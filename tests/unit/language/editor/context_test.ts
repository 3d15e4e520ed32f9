import { deepStrictEqual, equal } from "node:assert/strict";
import {
  contextAt,
  type EditorContext,
} from "../../../../lib/language/editor/context.ts";
import { EditorDocument } from "../../../../lib/language/editor/document.ts";
import { cursorIn } from "../../../support/editor.ts";

function context(marked: string): EditorContext | undefined {
  const { text, offset } = cursorIn(marked);
  return contextAt(new EditorDocument(text), offset);
}

/** `steps/0/retry key [on_status] "back"`: path, position, siblings, typed. */
function shown(marked: string): string | undefined {
  const found = context(marked);
  if (!found) return;
  const { path, position, siblings, typed } = found;
  const keys = siblings?.entries.map(({ key }) => key) ?? [];
  return `${path.join("/")} ${position} [${keys}] ${JSON.stringify(typed)}`;
}

const STEP = "flow: f\nsteps:\n  - id: one\n    call: GET /\n";

const CASES: Readonly<Record<string, readonly [string, string][]>> = {
  "a key of the file": [
    ["¦", ' key [] ""'],
    ["fl¦", ' key [] "fl"'],
    ["flow: f\n¦", ' key [flow] ""'],
    ["flow: f\npro¦\nsteps: []\n", ' key [flow,steps] "pro"'],
    [`${STEP}¦`, ' key [flow,steps] ""'],
  ],
  "a key below another": [
    ["flow: f\nprofile:\n  ¦", 'profile key [] ""'],
    ["profile:\n  vus: 1\n  mo¦\nsteps:\n", 'profile key [vus] "mo"'],
    [`${STEP}    ¦`, 'steps/0 key [id,call] ""'],
    [`${STEP}    ass¦\n    retry: 1\n`, 'steps/0 key [id,call,retry] "ass"'],
    [`${STEP}    ass¦ert:\n      - x\n`, 'steps/0 key [id,call] "ass"'],
    [`${STEP}    retry:\n      ¦`, 'steps/0/retry key [] ""'],
    [`${STEP}    retry:\n      back¦`, 'steps/0/retry key [] "back"'],
    [
      `${STEP}    auth:\n      scheme: x\n      ¦`,
      'steps/0/auth key [scheme] ""',
    ],
  ],
  "a key in brackets that are not closed yet": [
    ["profile: { ¦", 'profile key [] ""'],
    [`${STEP}    auth: { scheme: x, ¦`, 'steps/0/auth key [scheme] ""'],
    [`${STEP}    auth: { ¦, scheme: x }\n`, 'steps/0/auth key [scheme] ""'],
    ["profile: {\n  ¦\n}\n", 'profile key [] ""'],
    ["{flow: f, steps: [{id: a, ¦", 'steps/0 key [id] ""'],
  ],
  "a new step": [
    [`${STEP}  - ¦`, 'steps/1 key [] ""'],
    [`${STEP}  - i¦`, 'steps/1 key [] "i"'],
    [`${STEP}  ¦`, 'steps key [] ""'],
    ["steps:\n  ¦", 'steps key [] ""'],
    ["steps:\n- id: a\n  ¦", 'steps/0 key [id] ""'],
    [`${STEP}  - id: x\n    ¦\n  - id: y\n`, 'steps/1 key [id] ""'],
  ],
  "a value": [
    ["profile:\n  mode: ¦", 'profile/mode value [mode] ""'],
    ["profile:\n  mode: lo¦\n  vus: 1\n", 'profile/mode value [mode,vus] "lo"'],
    ["profile: { mode: lo¦, vus: 1 }\n", 'profile/mode value [mode,vus] "lo"'],
    [
      `${STEP}    on_failure: ¦ # why\n`,
      'steps/0/on_failure value [id,call,on_failure] ""',
    ],
    [
      `${STEP}    body:\n      a:\n        - b: ¦`,
      'steps/0/body/a/0/b value [b] ""',
    ],
    [
      "flow: f\r\nprofile:\r\n  mode: lo¦\r\n",
      'profile/mode value [mode] "lo"',
    ],
  ],
  "an item of a list": [
    [`${STEP}    assert:\n      - ¦`, 'steps/0/assert/0 key [] ""'],
    [
      `${STEP}    assert:\n      - status ¦\n      - x == 1\n`,
      'steps/0/assert/0 key [] "status "',
    ],
    [`${STEP}    assert: [sta¦`, 'steps/0/assert/0 value [] "sta"'],
    [
      `${STEP}    assert: [sta¦tus == 200, x]\n`,
      'steps/0/assert/0 value [] "sta"',
    ],
  ],
  "a value in quotes that are not closed yet": [
    [
      `${STEP}    headers:\n      X: "a ¦\n    retry: 1\n`,
      'steps/0/headers/X value [X] "a "',
    ],
    [`${STEP}    headers:\n      X: "a¦"\n`, 'steps/0/headers/X value [X] "a"'],
    [
      `${STEP}    headers:\n      X: 'it''s ¦'\n`,
      `steps/0/headers/X value [X] "it''s "`,
    ],
    [
      `${STEP}    assert:\n      - "$.a == ¦\n`,
      'steps/0/assert/0 value [] "$.a == "',
    ],
  ],
  "although another step is broken": [
    [`${STEP}    x: "open\n  - id: two\n    ¦\n`, 'steps/1 key [id] ""'],
    [
      `${STEP}    x: {{ a\n      - [\n  - id: two\n    retry:\n      ¦\n`,
      'steps/1/retry key [] ""',
    ],
    [`profile: [\n${STEP}    retry:\n      ¦`, 'steps/0/retry key [] ""'],
  ],
};

for (const [what, cases] of Object.entries(CASES)) {
  Deno.test(`contextAt: ${what}`, () => {
    for (const [marked, expected] of cases) {
      equal(shown(marked), expected, JSON.stringify(marked));
    }
  });
}

Deno.test("contextAt: undefined in a comment, and a block scalar is known as one", () => {
  equal(context(`${STEP}    # on¦`), undefined);
  equal(context(`${STEP}    call: GET / # on¦\n`), undefined);
  const query =
    `${STEP}    graphql:\n      query: |\n        query {\n          ¦\n`;
  deepStrictEqual(
    [context(query)?.block, context(query)?.path.join("/")],
    [true, "steps/0/graphql/query"],
  );
});

Deno.test("contextAt: no position of a flow, cut off there or not, makes it fail", () => {
  const flow = Deno.readTextFileSync(
    new URL("../../../../examples/shop.bench.yaml", import.meta.url),
  );
  for (let at = 0; at < flow.length; at += 23) {
    contextAt(new EditorDocument(flow), at);
    contextAt(new EditorDocument(flow.slice(0, at)), at);
  }
});
