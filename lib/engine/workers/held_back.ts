import type { GeneratorData } from "../../results/record/generator.ts";
import type { GeneratorSink } from "../../model/result/iteration.ts";

/** Requests of the main thread, for tokens, that `max_rps` held back. */
export class HeldBack implements Pick<GeneratorSink, "held"> {
  #held = 0;
  #heldMs = 0;

  held(ms: number): void {
    this.#held++;
    this.#heldMs += ms;
  }

  /** What a worker recorded, with these requests counted in. */
  joined(data: GeneratorData): GeneratorData {
    const { held, heldMs } = data;
    return {
      ...data,
      held: held + this.#held,
      heldMs: heldMs + this.#heldMs,
    };
  }
}
