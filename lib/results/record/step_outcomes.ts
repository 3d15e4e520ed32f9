import type { Outcome } from "../../model/result/iteration.ts";
import type { StepOutcomes } from "../../model/result/series.ts";

/** Counts of a step by outcome, in this order. */
const OFFSETS = { passed: 0, throttled: 1, failed: 2 } as const;
const KINDS = 3;
/** A step with its counts, packed. */
const PACKED = 1 + KINDS;

/** Attempts of each step by outcome, in one second. */
export class OutcomeCounts {
  #counts: Uint32Array;
  #any = false;

  /** @param steps how many there are */
  constructor(steps: number) {
    this.#counts = new Uint32Array(steps * KINDS);
  }

  note(step: number, outcome: Outcome): void {
    this.#counts[step * KINDS + OFFSETS[outcome]]!++;
    this.#any = true;
  }

  /** Adds what `packed` returned. */
  add(packed: Uint32Array): void {
    for (let i = 0; i < packed.length; i += PACKED) {
      const at = packed[i]! * KINDS;
      this.#grow(at + KINDS);
      for (let kind = 0; kind < KINDS; kind++) {
        this.#counts[at + kind]! += packed[i + 1 + kind]!;
      }
      this.#any = true;
    }
  }

  /** Of the steps that did anything: index, passed, throttled, failed. */
  packed(): Uint32Array {
    if (!this.#any) return NOTHING;
    const counts = this.#counts;
    const packed: number[] = [];
    for (let at = 0; at < counts.length; at += KINDS) {
      const [passed, throttled, failed] = [
        counts[at]!,
        counts[at + 1]!,
        counts[at + 2]!,
      ];
      if (passed + throttled + failed === 0) continue;
      packed.push(at / KINDS, passed, throttled, failed);
    }
    return Uint32Array.from(packed);
  }

  clear(): void {
    if (this.#any) this.#counts.fill(0);
    this.#any = false;
  }

  #grow(length: number): void {
    if (length <= this.#counts.length) return;
    const longer = new Uint32Array(length);
    longer.set(this.#counts);
    this.#counts = longer;
  }
}

const NOTHING = new Uint32Array(0);

/** As a point of `series.json` has them. */
export function stepOutcomes(packed: Uint32Array): StepOutcomes[] {
  return Array.from(
    { length: packed.length / PACKED },
    (_, i) => [...packed.subarray(i * PACKED, (i + 1) * PACKED)],
  ) as unknown as StepOutcomes[];
}
