/** Why a run ended before its plan did. */
export type StopReason = "abort_run" | "interrupted";

/**
 * How a run is told to stop. Soft: no new iterations, those under way go on.
 * Hard: waits and requests under way end at once.
 */
export class Stop {
  readonly #hard = new AbortController();
  #reason: StopReason | undefined;
  #detail = "";

  /** Set once by the first stop; later ones only harden it. */
  get reason(): StopReason | undefined {
    return this.#reason;
  }

  /** What led to it, for a person. */
  get detail(): string {
    return this.#detail;
  }

  get requested(): boolean {
    return this.#reason !== undefined;
  }

  /** Aborts when the stop is hard. */
  get signal(): AbortSignal {
    return this.#hard.signal;
  }

  soft(reason: StopReason, detail: string): void {
    this.#reason ??= reason;
    this.#detail ||= detail;
  }

  /** Ends what is under way because the plan is over: no reason to report. */
  cut(): void {
    this.#hard.abort();
  }

  hard(reason: StopReason, detail: string): void {
    this.soft(reason, detail);
    this.#hard.abort();
  }
}
