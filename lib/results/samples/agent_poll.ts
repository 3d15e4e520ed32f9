import type { AgentSample } from "../../model/result/agent.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { Scraped } from "./agent_scraper.ts";

/** How often an agent is read. */
export const POLL_MS = 1_000;

/** The result of polling. */
export interface Polled {
  readonly samples: readonly AgentSample[];
  /** Seconds without a sample. */
  readonly missed: number;
  /** Why the last of those has none. */
  readonly problem?: string;
}

/** Polling under way. */
interface AgentPoll {
  soFar(): Polled;
  /** Stops at once, even while a reading is under way. */
  end(): Polled;
}

/**
 * Reads an agent once a second, on the second, from the start. Fail-open: a
 * scrape that fails is a gap, and no part of the run waits for one.
 *
 * @param scrape bounded by itself; must not reject
 * @param startedAt the run's start on `clock`; the times of samples count from it
 */
export function startPoll(
  scrape: () => Promise<Scraped>,
  clock: Clock,
  startedAt: number,
): AgentPoll {
  const samples: AgentSample[] = [];
  const over = new AbortController();
  let missed = 0;
  let problem: string | undefined;
  const sinceStart = () => clock.now() - startedAt;
  void (async () => {
    for (let tick = 0;;) {
      const scraped = await scrape();
      if (over.signal.aborted) return;
      if ("reading" in scraped) {
        const t_ms = Math.max(0, Math.round(sinceStart()));
        samples.push({ t_ms, ...scraped.reading });
      } else {
        missed++;
        problem = scraped.problem;
      }
      const next = Math.max(tick, Math.floor(sinceStart() / POLL_MS)) + 1;
      // Seconds in which this thread could not run.
      missed += next - tick - 1;
      tick = next;
      await clock.sleep(tick * POLL_MS - sinceStart(), over.signal);
      if (over.signal.aborted) return;
    }
  })();
  const soFar = () => ({
    samples,
    missed,
    ...(problem !== undefined && { problem }),
  });
  return {
    soFar,
    end() {
      over.abort();
      return soFar();
    },
  };
}
