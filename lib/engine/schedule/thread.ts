import { openPool } from "../data/pool.ts";
import type { Fixture } from "../data/table.ts";
import type { Shard } from "../plan/shard.ts";
import type { GeneratorSink, Sink } from "../../model/result/iteration.ts";
import { HttpConnections } from "../../wire/http/connections.ts";
import { iterationBound } from "./bounds.ts";
import { runClosed } from "./closed.ts";
import { drawRows, type OpenPool } from "../vu/draws.ts";
import type { Gate } from "../vu/gate.ts";
import type { Draw } from "../vu/iteration.ts";
import type { Job, OpenJob } from "../vu/job.ts";
import { runOpen } from "./open.ts";
import { ceilingGate } from "./rate_gate.ts";
import { runRows } from "./rows.ts";
import { iterationCounter, poolCounter, type SharedMemory } from "./shared.ts";
import { SlotGate } from "./slot_gate.ts";
import { SpentSlots } from "./spent_slots.ts";
import type { Stop } from "../vu/stop.ts";
import { VirtualUser, type VuTools } from "../vu/vu.ts";

/** One thread's part in a run. */
export interface ThreadRun {
  readonly job: Job;
  readonly open: OpenJob;
  readonly shard: Shard;
  readonly memory: SharedMemory;
  /** By pool name. */
  readonly fixtures: ReadonlyMap<string, Fixture>;
  readonly sink: Sink;
  readonly generator: GeneratorSink;
  readonly stop: Stop;
  /** When the run began, on this thread's clock. */
  readonly startedAt: number;
}

/**
 * Carries out the plan on this thread.
 *
 * @returns request slots that were due and never served (open executor)
 */
export async function runThread(run: ThreadRun): Promise<number> {
  const { job: { plan, clock }, stop, open } = run;
  const gate = makeGate(run);
  const tools: VuTools = {
    clock,
    stop,
    sink: run.sink,
    gate,
    slots: open.slots,
  };
  const vus: VirtualUser[] = [];
  const makeVu = (id: number) => {
    const { network, http } = run.job;
    const vu = new VirtualUser(
      id,
      new HttpConnections(network, http),
      network,
      tools,
    );
    vus.push(vu);
    return vu;
  };
  const closeAll = () => Promise.all(vus.map((vu) => vu.close()));
  stop.signal.addEventListener("abort", closeAll, { once: true });
  try {
    const draw = drawer(run);
    if (plan.executor === "rows") {
      await runRows({
        steps: open.steps,
        vus: Array.from({ length: plan.peakVus }, (_, id) => makeVu(id)),
        iterations: plan.iterations ?? 1,
        tools,
        draw,
      });
      return 0;
    }
    const load = {
      plan,
      shard: run.shard,
      steps: open.steps,
      tools,
      generator: run.generator,
      startedAt: run.startedAt,
      makeVu,
      nextDraw: numbered(run, draw),
    };
    if (gate instanceof SlotGate) return await runOpen(load, gate);
    await runClosed(load);
    return 0;
  } finally {
    stop.signal.removeEventListener("abort", closeAll);
    await closeAll();
  }
}

function makeGate({ job, memory, generator }: ThreadRun): Gate {
  const { executor, maxRps } = job.plan;
  if (executor === "open") {
    return new SlotGate(generator, new SpentSlots(memory.spent));
  }
  return ceilingGate(maxRps, memory, job.clock, generator);
}

type Drawing = (iteration: number, vu: number) => Draw | undefined;

/** Draws for the iterations that all threads number together. */
function numbered({ job, memory }: ThreadRun, draw: Drawing) {
  const bound = iterationBound(iterationCounter(memory), job.plan.iterations);
  return (vu: number): Draw | undefined => {
    const iteration = bound.take();
    return iteration === undefined ? undefined : draw(iteration, vu);
  };
}

function drawer(run: ThreadRun): Drawing {
  const pools = (run.job.flow.pools ?? []).map((pool, slot): OpenPool => {
    const fixture = run.fixtures.get(pool.name)!;
    const counter = poolCounter(run.memory, slot);
    const { seed, executor } = run.job.plan;
    const everyRow = executor === "rows";
    const { size } = fixture;
    return { fixture, source: openPool(pool, size, seed, counter, everyRow) };
  });
  return (iteration, vu) => drawRows(pools, iteration, vu);
}
