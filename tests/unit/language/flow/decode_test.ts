import { deepEqual, equal } from "node:assert/strict";
import { decodeFlow } from "../../../../lib/language/flow/input.ts";

const FLOW = {
  ir: 1,
  flow: "x",
  profile: { mode: "integration", vus: 1 },
  steps: [{ id: "a", kind: "call", block: {}, on_failure: "record" }],
};

function decode(value: unknown): string[] {
  const found: string[] = [];
  const text = typeof value === "string" ? value : JSON.stringify(value);
  decodeFlow(text, ({ at, code }) => found.push(`${at} ${code}`));
  return found;
}

Deno.test("decodeFlow() returns a flow of the right shape as it is", () => {
  const flow = decodeFlow(JSON.stringify(FLOW), () => {
    throw new Error("nothing to report");
  });
  deepEqual(flow, FLOW);
});

Deno.test("decodeFlow() takes what YAML cannot say", () => {
  const rich = {
    ...FLOW,
    pools: [{
      name: "cards",
      path: "c.csv",
      format: "csv",
      distribution: "random",
      on_exhausted: "cycle",
    }],
    steps: [{
      ...FLOW.steps[0],
      capture: "headers",
      extract: { s: { from: "status" }, h: { from: "header", name: "ETag" } },
    }],
  };
  deepEqual(decode(rich), []);
});

const WRONG: readonly [
  why: string,
  change: Record<string, unknown>,
  found: string[],
][] = [
  ["an unknown key", { owner: "me" }, ["/owner unknown-key"]],
  ["a newer version", { ir: 3, owner: "me" }, ["/ir ir-version"]],
  ["a version that is no number", { ir: "1" }, ["/ir ir-version"]],
  ["a wrong type", { flow: 7 }, ["/flow wrong-type"]],
  ["a bad name", { flow: "7x" }, ["/flow bad-name"]],
  ["an empty ramp", { profile: { mode: "load", vus: {} } }, [
    "/profile/vus missing-key",
    "/profile/vus missing-key",
    "/profile/vus missing-key",
  ]],
  ["an unknown extraction", {
    steps: [{ ...FLOW.steps[0], extract: { a: { from: "trailer" } } }],
  }, ["/steps/0/extract/a/from unknown-value"]],
  ["a variable that is no name", {
    steps: [{ ...FLOW.steps[0], extract: { "a b": { from: "status" } } }],
  }, ["/steps/0/extract/a b bad-name"]],
];

for (const [why, change, found] of WRONG) {
  Deno.test(`decodeFlow() refuses ${why}`, () => {
    deepEqual(decode({ ...FLOW, ...change }), found);
  });
}

Deno.test("decodeFlow() refuses text that is no JSON object, with its location", () => {
  deepEqual(decode("[]"), [" wrong-type"]);
  let location;
  decodeFlow("{\n  x}", ({ at }) => location = at);
  deepEqual(location, { line: 2, column: 3 });
});

Deno.test("decodeFlow() reports a missing key at its parent", () => {
  const { profile: _, ...rest } = FLOW;
  deepEqual(decode(rest), [" missing-key"]);
});

Deno.test("decodeFlow() accepts a byte order mark", () => {
  equal(decode(`\ufeff${JSON.stringify(FLOW)}`).length, 0);
});
