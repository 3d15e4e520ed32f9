/** Why a run ended before its plan did. */
export type StopReason =
  | "abort_run"
  | "setup"
  | "interrupted"
  | "store_error"
  | "lead_lost"
  /** A threshold is surely broken. */
  | "breach"
  /** A percentile is as sure as was asked for. */
  | "certain"
  | "error";

/** How a run was asked to stop. */
export interface AskedStop {
  readonly reason: StopReason;
  readonly detail: string;
  readonly hard: boolean;
}

type StopListener = (asked: AskedStop) => void;

/** Memory for the word that all threads of a run read. */
function stopMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/**
 * How a run is stopped. Soft: no new iterations, those under way go on.
 * Hard: waits and requests under way end at once.
 *
 * The soft stop is a word in shared memory, so that one thread's `abort_run` is
 * seen by all before their next iteration.
 */
export class Stop {
  readonly #hard = new AbortController();
  readonly #leaving = new AbortController();
  readonly #flag: Int32Array;
  #reason: StopReason | undefined;
  #detail = "";
  readonly #listeners: StopListener[] = [];

  constructor(readonly memory: SharedArrayBuffer = stopMemory()) {
    this.#flag = new Int32Array(memory);
  }

  /** Set by the first stop on this thread; later ones only harden it. */
  get reason(): StopReason | undefined {
    return this.#reason;
  }

  /** The cause of it, for a person. */
  get detail(): string {
    return this.#detail;
  }

  /** Whether any thread asked for a stop. */
  get requested(): boolean {
    return Atomics.load(this.#flag, 0) !== 0;
  }

  /** Aborts when the stop is hard. */
  get signal(): AbortSignal {
    return this.#hard.signal;
  }

  soft(reason: StopReason, detail: string): void {
    const first = this.#reason === undefined;
    this.#reason ??= reason;
    this.#detail ||= detail;
    Atomics.store(this.#flag, 0, 1);
    if (first) this.#report({ reason, detail, hard: false });
  }

  hard(reason: StopReason, detail: string): void {
    this.soft(reason, detail);
    if (this.signal.aborted) return;
    this.#hard.abort();
    this.#report({ reason, detail, hard: true });
  }

  /** Aborts when not even `teardown` is waited for. */
  get leaving(): AbortSignal {
    return this.#leaving.signal;
  }

  /** Ends the run without `teardown`. */
  leave(reason: StopReason, detail: string): void {
    this.#leaving.abort();
    this.hard(reason, detail);
  }

  /** Calls `listener` when the run is asked to stop on this thread, and to stop at once. */
  listen(listener: StopListener): void {
    this.#listeners.push(listener);
  }

  #report(asked: AskedStop): void {
    for (const listener of this.#listeners) listener(asked);
  }

  /** Ends what is under way because the plan is over: no reason to report. */
  cut(): void {
    this.#hard.abort();
  }
}
