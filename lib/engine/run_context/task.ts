import { VERSION } from "../../base/values/version.ts";
import { randomIdWords } from "../../results/traces/trace_ids.ts";
import type { RunPlan } from "../plan/plan.ts";
import type { PreparedRun } from "../preflight/prepared_run.ts";
import type { RunTask } from "../workers/worker_pool.ts";
import type { RunOptions } from "./run_context.ts";

/** What the workers are handed. */
export function taskOf(
  prepared: PreparedRun,
  plan: RunPlan,
  options: RunOptions,
): RunTask {
  return {
    flow: prepared.flow,
    plan,
    ids: randomIdWords(options.chance),
    env: prepared.env,
    baseUrls: prepared.target.base_urls,
    tls: options.tls,
    http: options.http,
    ...(options.route && { route: options.route }),
    ...(options.traceparent && { traceparent: true }),
    userAgent: `bench/${VERSION}`,
    directory: prepared.directory,
    fixtures: prepared.fixtures,
  };
}
