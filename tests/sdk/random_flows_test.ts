import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { stringify } from "yaml";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import { readCase } from "../golden/read_case.ts";
import { python } from "../support/python.ts";
import { pythonSource } from "./python_source.ts";
import { randomFlow } from "./random_flow.ts";

/** Flows in one Python process: starting it costs more than compiling them. */
const FLOWS = 300;

const PROGRAM = `
import json, sys
from bench_sdk import *
names = {}
exec(sys.stdin.read().encode("utf-8").decode("utf-8"), globals(), names)
told = []
for name, make in names.items():
    try:
        told.append(make().to_json().decode("utf-8"))
    except FlowError as error:
        told.append("refused: " + error.code)
print(json.dumps(told))
`;

/** The canonical bytes, or the codes of what is wrong. */
async function fromYaml(flow: Record<string, unknown>): Promise<string[]> {
  const yaml = stringify(flow, { version: "1.2", lineWidth: 0 });
  try {
    return [await readCase("flow.yaml", new TextEncoder().encode(yaml))];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.diagnostics.map(({ code }) => `refused: ${code}`);
  }
}

Deno.test("a random flow written in YAML and in Python gives the same bytes", async () => {
  const flows = fc.sample(randomFlow, { numRuns: FLOWS, seed: 20260101 });
  const source = flows.map((flow, index) => pythonSource(flow, `f${index}`));
  const { stdout, stderr } = await python(PROGRAM, source.join("\n"));
  equal(stderr, "");
  const written: string[] = JSON.parse(stdout);
  let compiled = 0;
  for (const [index, flow] of flows.entries()) {
    const wanted = await fromYaml(flow);
    if (!wanted.includes(written[index]!)) {
      deepEqual([written[index]], wanted, source[index]!);
    }
    if (!written[index]!.startsWith("refused")) compiled++;
  }
  ok(compiled > FLOWS / 2, `only ${compiled} of ${FLOWS} were correct`);
});
