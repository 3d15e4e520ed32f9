import { runIteration } from "../vu/iteration.ts";
import { turnOf } from "./idle_pace.ts";
import type { LoadRun } from "./load_run.ts";

/**
 * Integration and system modes: the flow once per fixture row, or once when
 * there is no fixture. As many rows as there are VUs run at a time, in row
 * order.
 */
export async function runRows(run: LoadRun): Promise<void> {
  const { steps, plan, tools: { stop, sink } } = run;
  const active = () => !stop.requested;
  const vus = Array.from({ length: plan.peakVus }, (_, id) => run.makeVu(id));
  await Promise.all(vus.map(async (vu) => {
    while (active()) {
      const next = run.nextIteration(active);
      const input = next instanceof Promise ? await next : next;
      if (!input) return;
      sink.iteration(await runIteration(steps, vu, input, stop));
      const turn = turnOf(vu);
      if (turn) await turn;
    }
  }));
}
