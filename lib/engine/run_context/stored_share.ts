import { nextFrom, withSeconds } from "../workers/partial_report.ts";
import type { Trace } from "../../model/result/trace.ts";
import type { RecorderSnapshot } from "../../results/record/snapshot.ts";
import type { Secrets } from "../../results/redact/secrets.ts";
import { Cadence } from "../../base/time/cadence.ts";
import { locationOf, type SourceLocation } from "../../base/text/location.ts";
import { countsToJson } from "../../base/values/counts_json.ts";
import { RUN_SCHEMA } from "../../model/result/stored.ts";
import type { StopSignal } from "../../model/result/run.ts";
import type { GeneratorCost } from "../../results/record/generator.ts";
import {
  redact,
  type Redacted,
  redactTrace,
  storedTrace,
} from "../../results/redact/redacted.ts";
import type { RunFacts } from "../../results/report/summary.ts";
import type { RunPlan } from "../plan/plan.ts";
import type { Shard } from "../plan/shard.ts";
import type { StopReason } from "../vu/stop.ts";
import type { WorkerReport } from "../workers/worker_pool.ts";
import type { Listener, RunContext } from "./run_context.ts";

/**
 * `share.json`: everything that one shard recorded, so that the shares of a run
 * can be put together later as its lead would have done it.
 */
export interface StoredShare {
  readonly schema: number;
  readonly shard: Shard;
  readonly facts: RunFacts;
  readonly plan: RunPlan;
  readonly workers: readonly WorkerReport[];
  readonly cost: GeneratorCost;
  /** Why it ended before its plan did. */
  readonly stop?: { readonly reason: StopReason; readonly detail: string };
  readonly signal?: StopSignal;
  readonly notes: readonly string[];
  /** Where what failed was written, by JSON Pointer. */
  readonly places: readonly (readonly [string, SourceLocation])[];
  /**
   * Of a run that goes on, or was killed: the seconds are in so many ticks beside
   * it. Absent once it is over.
   */
  readonly ticks?: number;
}

/** The seconds of each worker that came since the tick before. */
export type ShareTick = readonly {
  readonly from: number;
  readonly seconds: WorkerReport["snapshot"]["seconds"];
  readonly health: WorkerReport["generator"]["seconds"];
}[];

/** The share of this process, free of secrets, as JSON has it. */
export function shareToStore(
  { plan, facts, options, prepared, secrets }: RunContext,
  { workers, cost, ticks }: Pick<StoredShare, "workers" | "cost" | "ticks">,
  notes: readonly string[],
): Redacted<unknown> {
  const { reason, detail } = options.stop;
  const signal = options.signal();
  const pointers = workers.flatMap(({ snapshot }) =>
    snapshot.failures.groups.map((each) => each.pointer)
  );
  const places = new Set(pointers).values().flatMap((pointer) => {
    const at = locationOf(prepared.locations, pointer);
    return at ? [[pointer, at] as const] : [];
  });
  const share: StoredShare = {
    schema: RUN_SCHEMA,
    shard: plan.shard!,
    facts,
    plan,
    workers: workers.map((each) => ({
      ...each,
      snapshot: hiddenSnapshot(
        each.snapshot,
        secrets,
        storedTrace,
      ),
    })),
    cost,
    ...(reason && { stop: { reason, detail } }),
    ...(signal && { signal }),
    notes: [...options.notes, ...notes],
    places: [...places],
    ...(ticks !== undefined && { ticks }),
  };
  return redact(countsToJson(share), secrets);
}

/**
 * A snapshot without the secrets that this process knows.
 *
 * @param show what each trace is stored as
 */
export function hiddenSnapshot(
  snapshot: RecorderSnapshot,
  secrets: Secrets,
  show: typeof redactTrace = redactTrace,
): RecorderSnapshot {
  const { traces } = snapshot;
  const hide = <Kept extends { readonly item: Trace }>(kept: readonly Kept[]) =>
    kept.map(({ item, ...why }) => ({
      ...why,
      item: show(item, secrets),
    }));
  return {
    ...snapshot,
    failures: redact(snapshot.failures, secrets),
    ...(snapshot.contract && { contract: redact(snapshot.contract, secrets) }),
    traces: {
      ...traces,
      failures: hide(traces.failures),
      slowest: hide(traces.slowest),
      sample: hide(traces.sample),
      cells: hide(traces.cells),
    },
  };
}

/** Seconds from one writing to the next: at first, and at most. */
const EVERY = 2;
const AT_MOST = 30;

/**
 * Writes what the lead recorded so far, so that its share can be joined with those
 * of the others when it is killed. Seconds, of which there may be many, are
 * written once.
 */
class ShareSoFar implements Listener {
  readonly #cadence = new Cadence(EVERY, AT_MOST, 0);
  #from = 0;
  #ticks = 0;

  constructor(readonly run: RunContext) {}

  /** @throws {StoreError} */
  async second(): Promise<void> {
    if (!this.#cadence.turn()) return;
    const { workers, writer, secrets, agent, cost } = this.run;
    const parts = await workers.recorded(this.#from);
    if (parts.length === 0) return;
    const reports = parts.map(({ report }) => report);
    const tick: ShareTick = parts.map(({ from, report }) => ({
      from,
      seconds: report.snapshot.seconds,
      health: report.generator.seconds,
    }));
    this.#from = nextFrom(parts);
    const share = shareToStore(this.run, {
      workers: reports.map((each) => withSeconds(each, [], [])),
      cost: cost.of(reports),
      ticks: ++this.#ticks,
    }, agent.soFar().notes);
    const ticks = { schema: RUN_SCHEMA, ticks: [countsToJson(tick)] };
    await writer.writeShareSoFar(share, redact(ticks, secrets));
  }
}

/** Of a lead: the others hand over what they recorded as it comes. */
export function shareSoFarOf(run: RunContext): Listener | undefined {
  const { plan: { shard }, writer } = run;
  if (writer.dir === undefined || (shard?.count ?? 1) === 1) return undefined;
  return new ShareSoFar(run);
}
