import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { stringify } from "yaml";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import { diagnosticsJson } from "../../lib/base/text/render.ts";
import { readCase } from "../golden/read_case.ts";
import { python } from "../support/python.ts";
import { randomMistake } from "./random_mistake.ts";

const FLOWS = 2_500;

const PROGRAM = `
import json, sys
from bench_sdk import Flow, FlowError
told = []
for flow in json.load(sys.stdin):
    try:
        told.append(Flow.from_dict(flow).to_json().decode())
    except FlowError as error:
        told.append([error.code, error.message, error.hint])
print(json.dumps(told))
`;

type Mistake = readonly [code: string, message: string, hint: string | null];

/** The canonical IR, or every mistake. */
async function fromYaml(flow: unknown): Promise<string | Mistake[]> {
  const yaml = stringify(flow, { version: "1.2", lineWidth: 0 });
  try {
    return await readCase("flow.yaml", new TextEncoder().encode(yaml));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const told = JSON.parse(diagnosticsJson(error.diagnostics));
    return told.map(({ code, message, hint }: Record<string, string | null>) =>
      [code, message, hint] as unknown as Mistake
    );
  }
}

/** Of YAML's own spelling; of GraphQL, which the SDK leaves to `bench`. */
const NOT_PYTHON =
  /^(yaml-|unquoted-|number-out-of-range|lone-surrogate|graphql-syntax)/;
/** Steps are checked as they are added: what comes later is not known yet. */
const LOOKS_FORWARD = new Set(["unresolved-template", "session-not-open"]);

function isSame([code, message, hint]: Mistake, mine: Mistake): boolean {
  if (code !== mine[0]) return false;
  // Why a path is none, each side says in its own words.
  if (LOOKS_FORWARD.has(code) || code === "json-path") return true;
  return message === mine[1] && hint === mine[2];
}

Deno.test("a random mistake is told in the same words in YAML and in Python", async () => {
  const flows = fc.sample(randomMistake, { numRuns: FLOWS, seed: 20260101 });
  const { stdout, stderr } = await python(PROGRAM, JSON.stringify(flows));
  equal(stderr, "");
  const told: (string | Mistake)[] = JSON.parse(stdout);
  const counts = { accepted: 0, refused: 0 };
  for (const [index, flow] of flows.entries()) {
    const wanted = await fromYaml(flow);
    const mine = told[index]!;
    if (typeof wanted === "string") {
      equal(mine, wanted, JSON.stringify(flow));
      counts.accepted++;
    } else if (!wanted.some(([code]) => NOT_PYTHON.test(code))) {
      const same = typeof mine !== "string" &&
        wanted.some((each) => isSame(each, mine));
      if (!same) deepEqual([mine], wanted, JSON.stringify(flow));
      counts.refused++;
    }
  }
  ok(counts.accepted > FLOWS / 10, JSON.stringify(counts));
  ok(counts.refused > FLOWS / 2, JSON.stringify(counts));
});
