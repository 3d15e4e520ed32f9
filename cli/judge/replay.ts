import { dirname } from "node:path";
import { prepareRun, type World } from "../../lib/compile.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Trace } from "../../lib/model/result/trace.ts";
import {
  type ExchangeDifference,
  firstDifference,
} from "../../lib/results/replay/first_difference.ts";
import {
  readFlow,
  readMeta,
  readTrace,
  readTraceIndex,
} from "../../lib/results/store/reader.ts";
import { StoreError } from "../../lib/results/store/store_error.ts";
import { systemChance } from "../../lib/base/time/random.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import { runFlow, Stop, type TlsOptions } from "../../lib/run.ts";
import { agentTokenFor } from "../run/attended_run.ts";
import { readTargetFile } from "../inputs/input_files.ts";

/** Which iteration to replay, and where. */
interface ReplayRequest {
  /** The run's directory. */
  readonly dir: string;
  /** Its first that did not pass, when absent. */
  readonly traceId?: string;
  /** The run's own, when absent. */
  readonly target?: string;
  readonly tls: TlsOptions;
  readonly notes: readonly string[];
  readonly http: "1.1" | "2" | "auto";
  readonly world: World;
}

/** An iteration, and the same once more. */
export interface Replayed {
  readonly run: string;
  readonly before: Trace;
  readonly after: Trace;
  readonly difference?: ExchangeDifference;
  /** Of the iteration that was carried out now. */
  readonly meta: RunMeta;
}

/**
 * Carries one stored iteration out once more, as a functional run with the same row
 * and seed; stores nothing.
 *
 * @throws {StoreError} when there is no such iteration
 * @throws {InputError} when its flow cannot be run any more
 */
export async function replay(request: ReplayRequest): Promise<Replayed> {
  const { dir, world } = request;
  const meta = await readMeta(dir, systemClock.wall());
  const before = await tracedIteration(request, meta);
  const text = await readFlow(dir);
  const directory = meta.flow_file === "-" ? "." : dirname(meta.flow_file);
  const flow = {
    file: `${dir}/flow.json`,
    directory,
    form: "json",
    bytes: new TextEncoder().encode(text),
    mode: "integration",
  } as const;
  const target = await readTargetFile(
    request.target ?? meta.target,
    { ...flow, file: meta.flow_file },
    world.env,
  );
  const prepared = await prepareRun(flow, target, world);
  let after: Trace | undefined;
  const { meta: now } = await runFlow(prepared, {
    seed: meta.seed,
    ...(before.row !== undefined && { row: before.row }),
    tls: request.tls,
    http: request.http,
    notes: request.notes,
    workers: 1,
    clock: systemClock,
    chance: systemChance,
    stop: new Stop(),
    signal: () => undefined,
    ...agentTokenFor(prepared, world),
    onProgress: () => {},
    onIteration: (trace) => after ??= trace,
  });
  if (!after) {
    throw new StoreError("the replayed iteration did not end", "try it again");
  }
  const difference = firstDifference(before, after);
  return {
    run: meta.id,
    before,
    after,
    ...(difference && { difference }),
    meta: now,
  };
}

async function tracedIteration(
  { dir, traceId }: ReplayRequest,
  { id }: RunMeta,
): Promise<Trace> {
  const index = await readTraceIndex(dir);
  const entry = traceId === undefined
    ? index.find(({ outcome }) => outcome !== "passed") ?? index[0]
    : index.find(({ trace_id }) => trace_id.startsWith(traceId));
  const trace = entry && await readTrace(dir, entry.trace_id, index);
  if (trace) return trace;
  throw new StoreError(
    traceId === undefined
      ? `run \`${id}\` kept no trace`
      : `run \`${id}\` has no trace \`${traceId}\``,
    "`trace_id` of each kept iteration is in traces.json, and on the page of its failure",
  );
}
