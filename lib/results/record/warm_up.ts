import { sum, sumFields } from "../../base/values/sum.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { IterationResult, Sink } from "../../model/result/iteration.ts";
import type {
  CountedContract,
  IterationCounts,
} from "../../model/result/totals.ts";
import { ContractRecord } from "./contract_record.ts";
import { mergeSeconds, type SecondData, Seconds } from "./series.ts";

/** The iterations that began in a warm-up, as plain data. They are in no other figure. */
export interface WarmUpData {
  readonly iterations: IterationCounts;
  readonly requests: number;
  /** From the beginning of the warm-up on. */
  readonly seconds: readonly SecondData[];
}

/** How far it is. */
export interface WarmUpProgress {
  /** How many of the iterations that began in it are over. */
  readonly completed: number;
  /** Its last whole second, while it goes on. */
  readonly second: SecondData | undefined;
}

/** Takes the iterations that begin before what is measured does. */
export class WarmUp implements Sink {
  readonly #seconds: Seconds;
  #contract: ContractRecord | undefined;

  /**
   * @param start of the warm-up on the run's clock, in milliseconds
   * @param steps how many the flow has
   * @param underWay the seconds that follow, which some of these iterations reach into
   */
  constructor(start: number, steps: number, readonly underWay: Seconds) {
    this.#seconds = new Seconds(start, steps);
  }

  started(at: number): boolean {
    this.#seconds.started(at);
    this.underWay.carry(1, at);
    return false;
  }

  sample(
    step: number,
    outcome: Outcome,
    at: number,
    _service: number,
    response: number,
    sent: number,
    received: number,
  ): void {
    this.#seconds.attempt(step, at, outcome, response, sent, received);
  }

  latency(
    ...[, outcome, at, , response]: Parameters<Sink["latency"]>
  ): void {
    if (outcome !== "throttled") this.#seconds.latency(at, response);
  }

  unsent(...attempt: Parameters<Sink["unsent"]>): void {
    this.#seconds.unsent(...attempt);
  }

  bytes(...[, ...bytes]: Parameters<Sink["bytes"]>): void {
    this.#seconds.bytes(...bytes);
  }

  iteration(result: IterationResult): void {
    for (const each of result.steps) {
      if (each.contract) (this.#contract ??= new ContractRecord()).reach(each);
    }
    this.#seconds.ended(result);
    this.underWay.carry(-1, result.endedAt);
  }

  progress(at: number): WarmUpProgress {
    const goesOn = at < this.underWay.start;
    return {
      completed: this.#seconds.iterations().completed,
      second: goesOn ? this.#seconds.last(at) : undefined,
    };
  }

  /** The operations of the API that it reached. */
  get contract(): CountedContract | undefined {
    return this.#contract?.data();
  }

  data(): WarmUpData {
    return {
      iterations: this.#seconds.iterations(),
      requests: this.#seconds.requests,
      seconds: this.#seconds.data(),
    };
  }
}

/** Puts the warm-ups of several recorders together; undefined of none. */
export function mergeWarmUps(
  parts: readonly WarmUpData[],
): WarmUpData | undefined {
  if (parts.length === 0) return;
  return {
    iterations: sumFields(parts.map((part) => part.iterations)),
    requests: sum(parts, (part) => part.requests),
    seconds: mergeSeconds(parts.map((part) => part.seconds)),
  };
}
