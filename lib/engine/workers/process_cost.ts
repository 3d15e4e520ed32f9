import type { Clock } from "../../base/time/clock.ts";
import { sum } from "../../base/values/sum.ts";
import type {
  GeneratorCost,
  GeneratorRecorder,
} from "../../results/record/generator.ts";
import {
  coreWaitMs,
  CoreWatch,
  processCpuSeconds,
} from "../../results/samples/proc_text.ts";
import { LEAD_MS, type WorkerReport } from "./worker_pool.ts";

/** A moment has come this long before it: sleeps end a little early, and a run has a lead. */
const NEAR_MS = 2 * LEAD_MS;

/** Measures what a run takes of the machine that this process is on. */
export class ProcessCost {
  #cores: CoreWatch;
  /** Its use so far counts nowhere. */
  #isWarming: boolean;
  readonly #seconds: number[] = [];
  #before = processCpuSeconds();

  /**
   * @param startedAt the start of what is measured; what is used before counts nowhere
   * @param others by id: processes whose use is reported by itself
   */
  constructor(
    readonly clock: Clock,
    readonly startedAt: number,
    readonly others: readonly string[] = [],
  ) {
    this.#cores = new CoreWatch(others);
    this.#isWarming = this.#sinceStart() < 0;
  }

  /** How long to sleep until the next `ms` are over, counted from the start of what is measured. */
  sleepFor(ms: number): number {
    const since = this.#sinceStart();
    return (Math.floor(since / ms) + 1) * ms - since + NEAR_MS;
  }

  /** Whether what is measured begins now. To be asked after each sleep. */
  begins(): boolean {
    if (!this.#isWarming || this.#sinceStart() < 0) return false;
    this.#isWarming = false;
    this.#cores = new CoreWatch(this.others);
    this.#before = processCpuSeconds();
    return true;
  }

  /** To be called about once a second. Returns the CPU seconds used since. */
  tick(): number {
    const cpu = processCpuSeconds();
    const used = cpu - this.#before;
    this.#before = cpu;
    if (!this.#isWarming) this.#seconds.push(used);
    return used;
  }

  /** From `NEAR_MS` before the start. */
  #sinceStart(): number {
    return this.clock.now() - this.startedAt + NEAR_MS;
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

/**
 * How often the event loop is measured, in milliseconds. Often enough that one
 * hiccup is less than 1 % of a run of a few seconds.
 */
const EVERY_MS = 20;
/** How often the time this thread waited for a core is read. */
const TURNS_TO_A_READING = 10;

/**
 * Watches how late timers fire on this thread: a busy event loop delays
 * everything the generator does. The runtime's own monitor does not see it.
 * Also how long the thread waits for a core, which delays it as much.
 *
 * @returns stops watching
 */
export function watchLoop(
  clock: Clock,
  recorder: GeneratorRecorder,
): () => Promise<void> {
  const end = new AbortController();
  let waited = coreWaitMs();
  const readWait = () => {
    const now = coreWaitMs();
    if (now !== undefined && waited !== undefined) {
      recorder.waitedForCore(now - waited);
    }
    waited = now;
  };
  const watching = (async () => {
    for (let turn = 1; !end.signal.aborted; turn++) {
      const before = clock.now();
      await clock.sleep(EVERY_MS, end.signal);
      if (end.signal.aborted) return;
      const now = clock.now();
      const late = Math.max(0, now - before - EVERY_MS);
      recorder.loopLag(late, now, EVERY_MS);
      if (turn % TURNS_TO_A_READING === 0) readWait();
    }
  })();
  return () => {
    end.abort();
    return watching;
  };
}
