import { countsToJson } from "../../base/values/counts_json.ts";
import { RUN_SCHEMA } from "../../model/result/stored.ts";
import { redact } from "../../results/redact/redacted.ts";
import type { ProcessCost } from "../workers/process_cost.ts";
import { nextFrom, withSeconds } from "../workers/so_far.ts";
import type { AgentSampling } from "./agent_samples.ts";
import type { RunContext } from "./run_context.ts";
import { type ShareTick, shareToStore } from "./stored_share.ts";

/** Calls from one writing to the next. */
const EVERY = 2;

/**
 * Writes what the lead recorded so far, so that its share can be joined with those
 * of the others when it is killed. Seconds, of which there may be many, are
 * written once.
 */
class ShareSoFar {
  #calls = 0;
  #from = 0;
  #ticks = 0;

  constructor(
    readonly run: RunContext,
    readonly agent: AgentSampling,
    readonly cost: ProcessCost,
  ) {}

  /** To be called about once a second. @throws {StoreError} */
  async write(): Promise<void> {
    if (this.#calls++ % EVERY !== 0) return;
    const { workers, writer, secrets } = this.run;
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
      cost: this.cost.of(reports),
      ticks: ++this.#ticks,
    }, this.agent.soFar().notes);
    const ticks = { schema: RUN_SCHEMA, ticks: [countsToJson(tick)] };
    await writer.writeShareSoFar(share, redact(ticks, secrets));
  }
}

/** Of a lead: the others hand over what they recorded as it comes. */
export function shareSoFarOf(
  run: RunContext,
  agent: AgentSampling,
  cost: ProcessCost,
): ShareSoFar | undefined {
  const { plan: { shard }, writer } = run;
  if (writer.dir === undefined || (shard?.count ?? 1) === 1) return undefined;
  return new ShareSoFar(run, agent, cost);
}
