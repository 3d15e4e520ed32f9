import { sum } from "../../base/values/sum.ts";
import type { CoreUse } from "../../model/result/run.ts";
import { cpuSeconds, cpuTime, processCpuSeconds } from "./proc_text.ts";

/** Who has the cores of this machine from now on. */
export class CoreWatch {
  readonly #targets: ReadonlyMap<string, number>;
  readonly #machine = machine();
  readonly #own = processCpuSeconds();

  /** @param targets processes of the target, by id */
  constructor(targets: readonly string[]) {
    this.#targets = new Map(
      targets.map((pid) => [pid, secondsOf(pid) ?? NaN]),
    );
  }

  /** CPU seconds of this process since then, all its threads together. */
  ownSeconds(): number {
    return processCpuSeconds() - this.#own;
  }

  /** Mean numbers of cores since then; undefined where the system does not report it. */
  use(durationMs: number): CoreUse | undefined {
    const now = machine();
    if (!this.#machine || !now || durationMs <= 0) return undefined;
    const mean = (seconds: number) => Math.max(0, seconds / durationMs * 1_000);
    const generator = mean(this.ownSeconds());
    const target = this.#targetSeconds();
    const busy = mean(now.busySeconds - this.#machine.busySeconds);
    const known = generator + (target === undefined ? 0 : mean(target));
    return {
      total: now.cores,
      generator,
      target: target === undefined ? null : mean(target),
      // Of two clocks that tick a hundred times a second.
      others: Math.max(0, busy - known),
    };
  }

  #targetSeconds(): number | undefined {
    const spent = [...this.#targets].map(([pid, before]) =>
      (secondsOf(pid) ?? NaN) - before
    ).filter(Number.isFinite);
    return spent.length === 0 ? undefined : sum(spent, (each) => each);
  }
}

function machine() {
  return read("/proc/stat", cpuTime);
}

function secondsOf(pid: string): number | undefined {
  return read(`/proc/${pid}/stat`, cpuSeconds);
}

function read<T>(path: string, understand: (text: string) => T): T | undefined {
  try {
    return understand(Deno.readTextFileSync(path));
  } catch {
    return undefined;
  }
}
