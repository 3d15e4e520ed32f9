import type { CompiledStep } from "../vu/compiled_step.ts";
import { type IterationInput, runIteration } from "../vu/iteration.ts";
import { turnOf } from "./idle_pace.ts";
import type { VirtualUser, VuTools } from "../vu/vu.ts";

/** What the rows executor needs. */
interface RowsRun {
  readonly steps: readonly CompiledStep[];
  readonly vus: readonly VirtualUser[];
  /** One a fixture row, or 1. */
  readonly iterations: number;
  readonly tools: VuTools;
  /** What iteration `iteration` runs with; undefined ends the run. */
  pick(iteration: number): IterationInput | undefined;
}

/**
 * Integration and system modes: the flow once per fixture row, or once when
 * there is no fixture. As many rows as there are VUs run at a time, in row
 * order.
 */
export async function runRows(run: RowsRun): Promise<void> {
  const { stop, sink } = run.tools;
  let next = 0;
  await Promise.all(run.vus.map(async (vu) => {
    while (next < run.iterations && !stop.requested) {
      const input = run.pick(next++);
      if (!input) return;
      sink.iteration(await runIteration(run.steps, vu, input, stop));
      const turn = turnOf(vu);
      if (turn) await turn;
    }
  }));
}
