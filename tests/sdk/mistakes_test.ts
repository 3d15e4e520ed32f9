import { deepEqual, equal, ok } from "node:assert/strict";
import { parse } from "yaml";
import { diagnosticsJson } from "../../lib/base/text/render.ts";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import { readCase } from "../golden/read_case.ts";
import { python } from "../support/python.ts";

/*
 * Every golden case of a refused flow file, given to the Python SDK as data:
 * it raises one of the mistakes the YAML surface reports, in the same words.
 */
const CASES = new URL("../golden/diagnostics/", import.meta.url);

const NO_PARSER = "Python's library has no GraphQL parser: `bench` tells it";

/** Cases the two surfaces tell differently, each with the reason. */
const DIFFERENT: Readonly<Record<string, string>> = {
  "graphql-operation": NO_PARSER,
  "graphql-syntax": NO_PARSER,
  "graphql-variables": NO_PARSER,
  "template-extracted-later":
    "steps are checked as they are added: what is extracted later is not known",
  "ws-sessions":
    "steps are checked as they are added: what opens later is not known",
};

interface Mistake {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

const PROGRAM = `
import json, sys
from bench_sdk import Flow, FlowError
told = {}
for name, flow in json.load(sys.stdin).items():
    try:
        Flow.from_dict(flow)
        told[name] = None
    except FlowError as error:
        told[name] = {"code": error.code, "message": error.message, "hint": error.hint}
print(json.dumps(told))
`;

/** The file as data, when to YAML it is data at all. */
function dataOf(bytes: Uint8Array): unknown {
  try {
    return parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes), {
      strict: true,
      maxAliasCount: 200,
      logLevel: "error",
    });
  } catch {
    return undefined;
  }
}

async function mistakesOf(bytes: Uint8Array): Promise<readonly Mistake[]> {
  try {
    await readCase("flow.yaml", bytes);
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return JSON.parse(diagnosticsJson(error.diagnostics));
  }
}

/** Mistakes of YAML itself, or of its spelling, have no counterpart in data. */
const YAML_ONLY =
  /^(yaml-|unquoted-|duplicate-key|number-out-of-range|leading-zero|lone-surrogate|nesting|too-many|anchor|alias|tag|encoding|not-utf8|empty-file|documents?|merge|nul-|key-not-string)/;

Deno.test("Python raises one of the mistakes YAML reports, in the same words", async () => {
  const flows: Record<string, unknown> = {};
  const reported = new Map<string, readonly Mistake[]>();
  for (const { name } of Deno.readDirSync(CASES)) {
    let bytes: Uint8Array;
    try {
      bytes = Deno.readFileSync(new URL(`${name}/flow.yaml`, CASES));
    } catch {
      continue;
    }
    const data = dataOf(bytes);
    if (typeof data !== "object" || data === null) continue;
    const mistakes = await mistakesOf(bytes);
    if (mistakes.length === 0 || DIFFERENT[name]) continue;
    if (mistakes.some(({ code }) => YAML_ONLY.test(code))) continue;
    flows[name] = data;
    reported.set(name, mistakes);
  }
  const { stdout, stderr } = await python(PROGRAM, JSON.stringify(flows));
  equal(stderr, "");
  const told: Record<string, Mistake | null> = JSON.parse(stdout);
  const wrong = [...reported].flatMap(([name, mistakes]) => {
    const mine = told[name];
    const same = mistakes.some((each) =>
      each.code === mine?.code && each.message === mine.message &&
      each.hint === mine.hint
    );
    return same ? [] : [{ name, python: mine, yaml: mistakes }];
  });
  deepEqual(wrong, []);
  for (const name of Object.keys(DIFFERENT)) {
    ok(Deno.statSync(new URL(name, CASES)).isDirectory);
  }
  ok(reported.size >= 60, `${reported.size} cases were compared`);
});
