import { sum } from "../../base/values/sum.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { GeneratorCost } from "../../results/record/generator.ts";
import { CoreWatch } from "../../results/samples/core_use.ts";
import { processCpuSeconds } from "../../results/samples/proc_text.ts";
import type { WorkerReport } from "./worker_pool.ts";

/** Measures what a run takes of the machine that this process is on. */
export class ProcessCost {
  readonly #cores: CoreWatch;
  readonly #seconds: number[] = [];
  #before = processCpuSeconds();

  /** @param others by id: processes whose use is reported by itself */
  constructor(
    readonly clock: Clock,
    readonly startedAt: number,
    others: readonly string[] = [],
  ) {
    this.#cores = new CoreWatch(others);
  }

  /** To be called about once a second. Returns the CPU seconds used since. */
  tick(): number {
    const cpu = processCpuSeconds();
    const used = cpu - this.#before;
    this.#seconds.push(used);
    this.#before = cpu;
    return used;
  }

  /** @param durationMs how long the run has lasted */
  of(
    workers: readonly WorkerReport[],
    durationMs: number = this.clock.now() - this.startedAt,
  ): GeneratorCost {
    return {
      durationMs,
      threads: Math.max(1, workers.length),
      cpuSeconds: [...this.#seconds],
      cpuTotal: this.#cores.ownSeconds(),
      cores: this.#cores.use(durationMs),
      unserved: sum(workers, (each) => each.unserved),
    };
  }
}
