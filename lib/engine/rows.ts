import type { CompiledStep } from "./compiled_step.ts";
import { type Draw, runIteration } from "./iteration.ts";
import type { VirtualUser, VuTools } from "./vu.ts";

/** What the rows executor needs. */
export interface RowsRun {
  readonly steps: readonly CompiledStep[];
  readonly vus: readonly VirtualUser[];
  readonly iterations: number;
  readonly tools: VuTools;
  /** Draws what iteration `n` on `vu` runs with. */
  draw(iteration: number, vu: number): Draw;
}

/**
 * Integration and system modes: the flow once per fixture row, or once when
 * there is no fixture. `vus` rows run at a time, in row order.
 */
export async function runRows(run: RowsRun): Promise<void> {
  const { stop, sink, clock } = run.tools;
  let next = 0;
  await Promise.all(run.vus.map(async (vu) => {
    while (next < run.iterations && !stop.requested) {
      const draw = run.draw(next++, vu.id);
      sink.started(clock.now());
      sink.iteration(await runIteration(run.steps, vu, draw, stop));
    }
  }));
}
