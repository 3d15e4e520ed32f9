import { python } from "../support/python.ts";
import { WALL_MS } from "./both_paths.ts";
import type { Told } from "./engine_result.ts";

const PROGRAM = `
import json, sys
from bench_sdk import BenchError, Flow, Target
from bench_sdk.run.execute import execute_flow
from bench_sdk.wire.clock import Clock
from bench_sdk.wire.secure import TlsOptions

class Fixed(Clock):
    def wall(self):
        return ${WALL_MS}.0

def failure(each):
    if each is None:
        return None
    fields = {**each._asdict(), "expected": typed(each.expected), "actual": typed(each.actual)}
    return {name: value for name, value in fields.items() if value is not None}

def typed(each):
    return each and {name: value for name, value in each._asdict().items() if value is not None}

def message(each):
    return each and {**each._asdict(), "headers": [list(pair) for pair in each.headers]}

def exchange(each):
    return {
        "outcome": each.outcome,
        "status": each.status,
        "request": message(each.request),
        "response": message(each.response),
    }

def step(each):
    return {
        "id": each.id,
        "outcome": each.outcome,
        "is_error": each.throttle_is_error,
        "failure": failure(each.failure),
        "checks": [
            {"name": f"{each.id}.{check.kind}@{check.name}", "failure": failure(check.failure)}
            for check in each.checks
        ],
        "exchanges": [exchange(attempt) for attempt in each.attempts if attempt.request],
    }

def iteration(each):
    return {
        "row": each.row,
        "outcome": "failed" if each.failed else "throttled" if each.throttled else "passed",
        "steps": [step(one) for one in each.steps],
    }

def told(flow):
    try:
        target = Target.from_dict(given["target"])
        options = {"clock": Fixed(), "tls": TlsOptions(**given.get("tls", {}))}
        flow = Flow.from_dict(flow)
        done = execute_flow(flow, target, given["directory"], given["env"], **options)
    except BenchError as error:
        return {"refused": [error.code]}
    return {"abort": done.abort_reason, "iterations": [iteration(each) for each in done.iterations]}

given = json.load(sys.stdin)
print(json.dumps([told(each) for each in given["flows"]]))
`;

/** Runs every flow through \`Flow.execute()\`, in one Python process. */
export async function pythonResults(given: {
  readonly flows: readonly Record<string, unknown>[];
  readonly target: Record<string, unknown>;
  /** Where the fixtures are. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** Paths of PEM files, and `insecure`. */
  readonly tls?: Readonly<Record<string, string | boolean>>;
}): Promise<Told[]> {
  const { stdout, stderr } = await python(PROGRAM, JSON.stringify(given));
  if (stderr !== "") throw new Error(stderr);
  return JSON.parse(stdout);
}
