import { sum } from "../../base/values/sum.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { GeneratorCost } from "../../results/record/generator.ts";
import { CoreWatch } from "../../results/samples/core_use.ts";
import { processCpuSeconds } from "../../results/samples/process_text.ts";
import type { WorkerReport } from "../workers/worker_pool.ts";

/** Measures what a shard takes of its machine. */
export class ShardCost {
  readonly #cores = new CoreWatch([]);
  readonly #seconds: number[] = [];
  #before = processCpuSeconds();

  constructor(readonly clock: Clock, readonly startedAt: number) {}

  /** To be called about once a second. */
  tick(): void {
    const cpu = processCpuSeconds();
    this.#seconds.push(cpu - this.#before);
    this.#before = cpu;
  }

  of(workers: readonly WorkerReport[]): GeneratorCost {
    const durationMs = this.clock.now() - this.startedAt;
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
