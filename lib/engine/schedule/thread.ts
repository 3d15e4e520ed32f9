import type { Fixture } from "../data/table.ts";
import type { Shard } from "../plan/shard.ts";
import type { GeneratorSink, Sink } from "../../model/result/iteration.ts";
import { HttpConnections } from "../../wire/http/connections.ts";
import { runClosed, runRows } from "./closed.ts";
import type { LoadRun } from "./load_run.ts";
import { type RowPicker, rowPicker } from "../vu/iteration.ts";
import type { Job, OpenJob } from "../vu/job.ts";
import { runOpen } from "./open.ts";
import { maxRpsLimiter } from "../limiter/rate_limiter.ts";
import { IterationNumbers } from "../limiter/iteration_numbers.ts";
import {
  type SharedMemory,
  SpentSlots,
  underCeiling,
} from "../limiter/limiter.ts";
import { SlotLimiter } from "../limiter/slot_limiter.ts";
import type { Stop } from "../vu/stop.ts";
import { VirtualUser, type VuTools } from "../vu/vu.ts";

/** One thread's part of a run. */
interface ThreadRun {
  readonly job: Job;
  readonly open: OpenJob;
  readonly shard: Shard;
  readonly memory: SharedMemory;
  /** By pool name. */
  readonly fixtures: ReadonlyMap<string, Fixture>;
  readonly sink: Sink;
  readonly warmUp?: VuTools["warmUp"];
  readonly generator: GeneratorSink;
  readonly stop: Stop;
  /** When the run began, on this thread's clock. */
  readonly startedAt: number;
  /** The values of the variables that every iteration begins with. */
  readonly given?: readonly unknown[] | undefined;
}

/**
 * Carries out the plan on this thread.
 *
 * @returns request slots that were due and never served (open executor)
 */
export async function runThread(run: ThreadRun): Promise<number> {
  const { job: { task, network }, stop, open, memory } = run;
  const { generator, startedAt } = run;
  const { clock } = network;
  const { plan } = task;
  const ceiling = maxRpsLimiter(plan, memory, clock, generator, startedAt);
  const slots = plan.executor === "open"
    ? new SlotLimiter(generator, new SpentSlots(memory.spent))
    : undefined;
  const tools: VuTools = {
    clock,
    stop,
    sink: run.sink,
    ...(run.warmUp && { warmUp: run.warmUp }),
    limiter: slots ? underCeiling(slots, ceiling) : ceiling,
    sizes: open.sizes,
    given: run.given,
    traceparent: task.traceparent ? task.ids : undefined,
  };
  const vus: VirtualUser[] = [];
  const makeVu = (id: number) => {
    const connections = new HttpConnections(network, task.http);
    const vu = new VirtualUser(id, connections, network, tools);
    vus.push(vu);
    return vu;
  };
  const closeAll = () => Promise.all(vus.map((vu) => vu.close()));
  stop.signal.addEventListener("abort", closeAll, { once: true });
  try {
    const load: LoadRun = {
      plan,
      shard: run.shard,
      tools,
      generator,
      startedAt,
      makeVu,
      ...numbered(run, rowPicker(task, run.fixtures, open.flows)),
    };
    if (slots) return await runOpen(load, slots);
    await (plan.executor === "rows" ? runRows : runClosed)(load);
    return 0;
  } finally {
    stop.signal.removeEventListener("abort", closeAll);
    await closeAll();
  }
}

/** How often a VU looks whether more numbers came, in milliseconds. */
const LOOK_MS = 2;

/** Picks rows for the iterations that all threads number together. */
function numbered(
  { memory, stop, job: { network: { clock } } }: ThreadRun,
  pick: RowPicker,
): Pick<LoadRun, "nextIteration" | "isOver"> {
  const numbers = new IterationNumbers(memory.numbers);
  const later = async (active: () => boolean) => {
    while (active()) {
      // Read first: the last numbers come before it says that they were the last.
      const { growing } = numbers;
      const iteration = numbers.take();
      if (iteration !== undefined) return pick(iteration);
      if (!growing) return undefined;
      await clock.sleep(LOOK_MS, stop.signal);
    }
    return undefined;
  };
  return {
    nextIteration(active) {
      const iteration = numbers.take();
      if (iteration !== undefined) return pick(iteration);
      return numbers.growing ? later(active) : undefined;
    },
    // Read first: the last numbers come before it says that they were the last.
    isOver: () => !numbers.growing && numbers.left() === 0,
  };
}
