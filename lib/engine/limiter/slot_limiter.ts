import type { GeneratorSink } from "../../model/result/iteration.ts";
import {
  IMMEDIATE,
  type Limiter,
  type Permit,
  type Requester,
  SpentSlots,
} from "./limiter.ts";

/** Wakes a waiting VU; without a permit the run is over. */
export type Wake = (permit: Permit | undefined) => void;

/**
 * Request slots of the open executor. A slot that falls due goes to the oldest
 * request waiting inside an iteration, else begins an iteration on a free VU,
 * else waits in the backlog for the next request.
 *
 * A request that takes a backlogged slot counts its response time from when the
 * slot was due: the target kept every VU busy. One that was served late because
 * the generator was late does not; that start lag is reported by itself.
 */
export class SlotLimiter implements Limiter {
  readonly #requests = new Queue<Wake>();
  readonly #free: Wake[] = [];
  readonly #backlog = new Queue<number>();
  #begins = true;
  /** VUs inside an iteration, and how many there may be. */
  #busy = 0;
  #allowed = Infinity;
  #hasSlots = true;

  constructor(
    readonly sink: Pick<GeneratorSink, "late" | "offered">,
    readonly spent: SpentSlots = new SpentSlots(),
  ) {}

  /** Slots that are due and not taken yet. */
  get unserved(): number {
    return this.#backlog.size;
  }

  /** Whether iterations may still begin. */
  get starts(): boolean {
    return this.#begins;
  }

  acquire(vu: Requester): Permit | Promise<Permit> {
    const { slot } = vu;
    if (slot) {
      vu.slot = undefined;
      this.#offer(vu);
      return slot === IMMEDIATE ? startingNow(vu) : slot;
    }
    const backlogged = this.#backlog.take();
    if (backlogged !== undefined) {
      this.#offer(vu);
      return waited(backlogged);
    }
    if (vu.stopped) return IMMEDIATE;
    const { promise, resolve } = Promise.withResolvers<Permit>();
    this.#requests.add((slot) => {
      if (slot) this.#offer(vu);
      resolve(startingNow(vu));
    });
    if (!this.#hasSlots) this.#goAhead();
    return promise;
  }

  /**
   * At most this many VUs are inside an iteration from now on. Those above it
   * finish theirs.
   */
  allow(vus: number): void {
    this.#allowed = vus;
    while (this.#backlog.size > 0) {
      const wake = this.#freeVu();
      if (!wake) return;
      wake(waited(this.#backlog.take()!));
    }
  }

  /**
   * Whether slots come from now on. Where none do, requests of iterations under way
   * are sent in place of the next slots of others.
   */
  expectSlots(come: boolean): void {
    this.#hasSlots = come;
    if (!come) this.#goAhead();
  }

  /**
   * Wakes a VU with a slot to begin an iteration with, at once or later; its first request
   * spends it. Without one when no more iterations begin.
   */
  startIteration(wake: Wake): void {
    if (!this.#begins) return wake(undefined);
    const backlogged = this.#busy < this.#allowed
      ? this.#backlog.take()
      : undefined;
    if (backlogged === undefined) {
      this.#free.push(wake);
      return;
    }
    this.#busy++;
    wake(waited(backlogged));
  }

  /** There is no iteration to begin with the slot: it was no part of the load. */
  handBack(vu: Requester): void {
    vu.slot = undefined;
    this.iterationEnded();
  }

  /** An iteration that `startIteration` began has ended. */
  iterationEnded(): void {
    this.#busy--;
  }

  /** A slot was due at `dueAt` and is handed out at `now`. */
  due(dueAt: number, now: number): void {
    if (this.spent.take()) return;
    const wake = this.#requests.take() ?? this.#freeVu();
    if (wake) {
      this.sink.late(now - dueAt);
      wake(IMMEDIATE);
    } else if (this.#begins) {
      this.#backlog.add(dueAt);
    }
  }

  /**
   * A slot is offered with the iteration that takes it: one that began in a warm-up
   * counts nowhere, and neither do its slots.
   */
  #offer(vu: Requester): void {
    this.sink.offered(vu.beganAt);
  }

  /**
   * Slots that no request takes any more: they were offered when they were due.
   *
   * @param from when what is measured began; slots of a warm-up count nowhere
   */
  leave(from: number): number {
    let measured = 0;
    for (let left = this.unserved; left > 0; left--) {
      const dueAt = this.#backlog.take()!;
      this.sink.offered(dueAt);
      if (dueAt >= from) measured++;
    }
    return measured;
  }

  /** Requests that wait for slots that do not come. */
  #goAhead(): void {
    for (;;) {
      const wake = this.#requests.take();
      if (!wake) return;
      this.spent.spend();
      wake(IMMEDIATE);
    }
  }

  /** Wakes a VU for an iteration, as long as one more may be busy. */
  #freeVu(): Wake | undefined {
    if (!this.#begins || this.#busy >= this.#allowed) return undefined;
    const wake = this.#free.pop();
    if (wake) this.#busy++;
    return wake;
  }

  /** No iteration begins from now on; those under way still get slots. */
  stopStarting(): void {
    this.#begins = false;
    for (const wake of this.#free.splice(0)) wake(undefined);
  }

  /** Wakes everything that waits: the run is over. */
  release(): void {
    this.stopStarting();
    for (;;) {
      const wake = this.#requests.take();
      if (!wake) return;
      wake(undefined);
    }
  }
}

/** The target kept every VU busy when the slot was due. */
function waited(dueAt: number): Permit {
  return { dueAt, backlogged: true };
}

/** The target did not hold it up: response time counts from the actual start. */
function startingNow(vu: Requester): Permit {
  return { dueAt: vu.now() };
}

/** First in, first out, in constant time. */
class Queue<Item> {
  #items: Item[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  take(): Item | undefined {
    if (this.#head === this.#items.length) return undefined;
    const item = this.#items[this.#head++];
    if (this.#head > 1_024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
