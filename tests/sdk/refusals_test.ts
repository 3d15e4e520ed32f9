import { deepEqual, equal, ok } from "node:assert/strict";
import { parse } from "yaml";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import { diagnosticsJson } from "../../lib/base/text/render.ts";
import { prepareCase, readCase } from "../golden/read_case.ts";
import { python } from "../support/python.ts";

/*
 * Every golden case of a target that cannot be used, and of a run that is
 * refused for its target, environment or fixture: `execute()` refuses it for
 * one of the mistakes the engine reports, in the same words.
 */
const CASES = new URL("../golden/diagnostics/", import.meta.url);

const PROGRAM = `
import json, os, sys
from bench_sdk import BenchError, Flow, NeedsRunError, Target
told = {}
for name, case in json.load(sys.stdin).items():
    try:
        target = Target.from_dict(case["target"])
        if case["flow"] is not None:
            flow = Flow.from_dict(case["flow"])
            os.chdir(case["folder"])
            flow.execute(target, env=case["env"])
        told[name] = None
    except NeedsRunError:
        told[name] = "needs run"
    except BenchError as error:
        told[name] = {"code": error.code, "message": error.message, "hint": error.hint}
print(json.dumps(told))
`;

type Mistake = Readonly<Record<"code" | "message" | "hint", string | null>>;

async function mistakesOf(check: () => Promise<unknown>): Promise<Mistake[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return JSON.parse(diagnosticsJson(error.diagnostics));
  }
}

Deno.test("execute() refuses a target, and a run, in the engine's words", async () => {
  const cases: Record<string, unknown> = {};
  const reported = new Map<string, readonly Mistake[]>();
  for (const { name } of Deno.readDirSync(CASES)) {
    const isTarget = name.startsWith("target-");
    if (!isTarget && !name.startsWith("run-")) continue;
    const folder = new URL(`${name}/`, CASES);
    const bytes = (file: string) => Deno.readFileSync(new URL(file, folder));
    const data = (file: string) =>
      parse(new TextDecoder().decode(bytes(file)), { logLevel: "error" });
    const has = (file: string) =>
      [...Deno.readDirSync(folder)].some((each) => each.name === file);
    cases[name] = {
      target: data("target.yaml"),
      flow: isTarget ? null : data("flow.yaml"),
      env: has("env.json") ? data("env.json") : {},
      folder: folder.pathname,
    };
    reported.set(
      name,
      await mistakesOf(() =>
        isTarget
          ? readCase("target.yaml", bytes("target.yaml"))
          : prepareCase(folder)
      ),
    );
  }
  const { stdout, stderr } = await python(PROGRAM, JSON.stringify(cases));
  equal(stderr, "");
  const told: Record<string, Mistake | "needs run" | null> = JSON.parse(stdout);
  const compared = [...reported].filter(([name]) => told[name] !== "needs run");
  const wrong = compared.flatMap(([name, mistakes]) => {
    const mine = told[name] as Mistake | null;
    const same = mistakes.some((each) =>
      each.code === mine?.code && each.message === mine.message &&
      each.hint === mine.hint
    );
    return same ? [] : [{ name, python: mine, engine: mistakes }];
  });
  deepEqual(wrong, []);
  ok(compared.length >= 18, `${compared.length} cases were compared`);
});
