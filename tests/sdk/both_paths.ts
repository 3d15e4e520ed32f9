import { prepareRun } from "../../lib/compile.ts";
import { runFlow, Stop } from "../../lib/run.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import { workspace } from "../support/bench.ts";
import { python } from "../support/python.ts";

/** What both clocks say the time of day is, in milliseconds. */
export const WALL_MS = 1_700_000_000_123;

/** A flow, and what it needs. */
export interface Paths {
  readonly flow: string;
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

/** The part of a failure both paths tell. */
export interface Told {
  readonly step: string;
  readonly code: string;
  readonly message: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

const encode = (text: string) => new TextEncoder().encode(text);

/** Runs the flow through the engine, in this process, at a fixed time of day. */
export async function throughEngine(paths: Paths): Promise<RunMeta> {
  using place = workspace(paths.files ?? {});
  const input = (file: string, text: string) => ({
    file,
    bytes: encode(text),
    directory: place.path,
    form: "yaml" as const,
  });
  const target = `name: here\nbase_urls: ["${paths.url}"]\n`;
  const prepared = await prepareRun(
    input("flow.yaml", paths.flow),
    input("target.yaml", target),
    {
      env: (name) => paths.env[name],
      readBytes: (path) => Deno.readFileSync(path),
    },
  );
  const { meta } = await runFlow(prepared, {
    seed: 1,
    storeDir: `${place.path}/runs`,
    tls: { caCerts: [], insecure: false },
    workers: 1,
    clock: { ...systemClock, wall: () => WALL_MS },
    chance: () => 0.5,
    stop: new Stop(),
    signal: () => undefined,
    onProgress: () => {},
    notes: [],
  });
  return meta;
}

const PROGRAM = `
import json, sys
from bench_sdk import Flow
from bench_sdk.run.execute import execute_flow
from bench_sdk.wire.clock import Clock
class Fixed(Clock):
    def wall(self):
        return ${WALL_MS}.0
given = json.load(sys.stdin)
flow = Flow.from_dict(given["flow"])
result = execute_flow(flow, given["url"], given["directory"], given["env"], Fixed())
def typed(value):
    return value and {k: v for k, v in value._asdict().items() if v is not None}
print(json.dumps({
    "passed": result.passed,
    "outcomes": [[s.outcome for s in each.steps] for each in result.iterations],
    "text": repr(result),
    "failures": [
        {"step": s.id, "code": s.failure.code, "message": s.failure.message,
         "expected": typed(s.failure.expected), "actual": typed(s.failure.actual)}
        for each in result.iterations for s in each.steps if s.failure
    ],
}))
`;

/** What `Flow.execute()` came to. */
export interface Executed {
  readonly passed: boolean;
  readonly outcomes: readonly (readonly string[])[];
  /** Everything in the result, as text. */
  readonly text: string;
  readonly failures: readonly Told[];
}

/** Runs the flow, given as data, through `Flow.execute()` at the same time of day. */
export async function throughPython(
  paths: Paths,
  flow: unknown,
): Promise<Executed> {
  using place = workspace(paths.files ?? {});
  const given = { flow, url: paths.url, directory: place.path, env: paths.env };
  const { stdout, stderr } = await python(PROGRAM, JSON.stringify(given));
  if (stderr !== "") throw new Error(stderr);
  return JSON.parse(stdout);
}
