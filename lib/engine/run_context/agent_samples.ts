import type { Clock } from "../../base/time/clock.ts";
import { isFunctional } from "../../model/mode.ts";
import {
  AgentScraper,
  POLL_MS,
  type Polled,
  startPoll,
} from "../../results/samples/agent_scraper.ts";
import type { AgentSeries } from "../../model/result/agent.ts";
import { RUN_SCHEMA } from "../../model/result/stored.ts";
import { RequestError } from "../../wire/http1/request_head.ts";
import type { RunPlan } from "../plan/plan.ts";
import type { PreparedRun } from "../preflight/prepared_run.ts";

/** The samples of the target's agent during a run. */
export interface AgentSamples {
  /** Absent without a reading. */
  readonly series?: AgentSeries;
  readonly notes: readonly string[];
}

/** Polling of the agent. */
export interface AgentSampling {
  soFar(): AgentSamples;
  /** Stops at once, even while a reading is under way. */
  end(): AgentSamples;
}

/**
 * Polls the target's agent in load-family runs, when there is one. Nothing the
 * agent does or fails to do reaches the run.
 */
export function startAgentSamples(
  { target: { agent_addr: addr } }: Pick<PreparedRun, "target">,
  { mode }: Pick<RunPlan, "mode">,
  { clock, agentToken }: {
    readonly clock: Clock;
    readonly agentToken?: string | undefined;
  },
  startedAt: number,
): AgentSampling {
  if (addr === undefined || isFunctional(mode)) {
    return ending({ notes: [] });
  }
  let scraper: AgentScraper;
  try {
    scraper = new AgentScraper(addr, agentToken, clock);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const note =
      "BENCH_AGENT_TOKEN holds what no header can carry: the agent was not asked";
    return ending({ notes: [note] });
  }
  const poll = startPoll(() => scraper.scrape(), clock, startedAt);
  return {
    soFar: () => samplesOf(poll.soFar(), addr),
    end() {
      const agent = samplesOf(poll.end(), addr);
      // A scrape under way ends by itself; the run does not wait for it.
      void scraper.close();
      return agent;
    },
  };
}

/** Without an agent that could be polled. */
function ending(samples: AgentSamples): AgentSampling {
  return { soFar: () => samples, end: () => samples };
}

function samplesOf(
  { samples, missed, problem }: Polled,
  addr: string,
): AgentSamples {
  const why = problem === undefined ? "" : `: ${problem}`;
  if (samples.length === 0) {
    return {
      notes: [`the agent at ${addr} gave no reading${why}`],
    };
  }
  return {
    series: {
      schema: RUN_SCHEMA,
      addr,
      interval_ms: POLL_MS,
      samples,
      missed,
    },
    notes: missed === 0 ? [] : [
      `the agent at ${addr} gave no reading in ${missed} of ${
        samples.length + missed
      } seconds${why}`,
    ],
  };
}
