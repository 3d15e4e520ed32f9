/** Changes, state; then two words and two moments for each client. */
const HEAD_BYTES = 8;
const CLIENT_BYTES = 24;

/** States; 0 before the thread has started. */
const RUNNING = 1;
const CLOSED = 2;

/**
 * The memory that a timer thread shares with its clients. Each client has one alarm: the
 * moment it wants to be woken at, on its own clock.
 *
 * The clocks of two threads run at the same speed from different starts. With
 * each alarm its client says what its own clock shows, and the thread reads that
 * a little later. The smallest difference ever seen is how far apart the two
 * clocks are.
 */
export class TimerMemory {
  readonly #words: Int32Array;
  readonly #moments: Float64Array;

  constructor(readonly buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer);
    this.#moments = new Float64Array(buffer);
  }

  /** Memory for so many clients. */
  static of(clients: number): TimerMemory {
    return new TimerMemory(
      new SharedArrayBuffer(HEAD_BYTES + clients * CLIENT_BYTES),
    );
  }

  get clients(): number {
    return (this.buffer.byteLength - HEAD_BYTES) / CLIENT_BYTES;
  }

  /** The thread has started, so that alarms go off. */
  get running(): boolean {
    return Atomics.load(this.#words, 1) === RUNNING;
  }

  /** There is no thread any more: no alarm goes off. */
  get closed(): boolean {
    return Atomics.load(this.#words, 1) === CLOSED;
  }

  /** Thread: it has started, unless it has been closed already. */
  start(): void {
    Atomics.compareExchange(this.#words, 1, 0, RUNNING);
  }

  /** Wakes the thread and every client for the last time. */
  close(): void {
    Atomics.store(this.#words, 1, CLOSED);
    this.#changed();
    for (let client = 0; client < this.clients; client++) this.ring(client);
  }

  /** Client: sets its alarm, in place of the one before. */
  set(client: number, at: number, now: number): void {
    this.#moments[momentOf(client)] = at;
    this.#moments[momentOf(client) + 1] = now;
    Atomics.add(this.#words, wordOf(client), 1);
    this.#changed();
  }

  /**
   * Client: waits for what never comes. V8 has a set of a thread's waits and makes a new
   * table when it is empty, to which the old one refers: once one of these is old, all
   * that follow become old too, 120 bytes an alarm.
   */
  waitForever(client: number): void {
    const word = wordOf(client);
    Atomics.waitAsync(this.#words, word, Atomics.load(this.#words, word));
  }

  /** Client: how many alarms went off. */
  rung(client: number): number {
    return Atomics.load(this.#words, wordOf(client) + 1);
  }

  /** Client: resolves when more alarms than `rung` went off; undefined when they did. */
  nextRing(client: number, rung: number): Promise<unknown> | undefined {
    const wait = Atomics.waitAsync(this.#words, wordOf(client) + 1, rung);
    return wait.async ? wait.value : undefined;
  }

  /** Thread: how many times something changed. */
  changes(): number {
    return Atomics.load(this.#words, 0);
  }

  /** Thread: sleeps until `ms` are over, or more changed than `changes`. */
  wait(changes: number, ms: number): void {
    Atomics.wait(this.#words, 0, changes, ms);
  }

  /** Thread: which of its alarms the client has set last. */
  alarm(client: number): number {
    return Atomics.load(this.#words, wordOf(client));
  }

  /** Thread: when the alarm is due, and when it was set, on the client's clock. */
  moments(client: number): { readonly at: number; readonly setAt: number } {
    const moment = momentOf(client);
    return { at: this.#moments[moment]!, setAt: this.#moments[moment + 1]! };
  }

  /** Thread: the client's alarm goes off. */
  ring(client: number): void {
    Atomics.add(this.#words, wordOf(client) + 1, 1);
    Atomics.notify(this.#words, wordOf(client) + 1);
  }

  #changed(): void {
    Atomics.add(this.#words, 0, 1);
    Atomics.notify(this.#words, 0);
  }
}

/** How much later than asked the system ends a wait, as a rule. */
const SLACK_MS = 0.02;
/** How long it takes at the least until the client's event loop runs. */
const WAKE_MS = 0.015;

/**
 * The alarms of all clients as the timer thread sees them. A look over them costs
 * a word each: the clock is read for each alarm that is new, and once for all.
 */
export class Alarms {
  /** The number of the alarm of each client that was read last. */
  readonly #seen: Int32Array;
  /** When it is due on this thread's clock; Infinity once it went off. */
  readonly #due: Float64Array;
  /** How far this thread's clock is ahead of each client's. */
  readonly #ahead: Float64Array;

  /** @param now the timer thread's clock */
  constructor(readonly memory: TimerMemory, readonly now: () => number) {
    this.#seen = new Int32Array(memory.clients);
    this.#due = new Float64Array(memory.clients).fill(Infinity);
    this.#ahead = new Float64Array(memory.clients).fill(Infinity);
  }

  /** Rings what is due; how long to wait for the next alarm, 0 where that is too close. */
  ringDue(): number {
    const due = this.#due;
    for (let client = 0; client < due.length; client++) this.#read(client);
    const now = this.now();
    let next = Infinity;
    for (let client = 0; client < due.length; client++) {
      const at = due[client]!;
      if (at <= now) {
        due[client] = Infinity;
        this.memory.ring(client);
      } else if (at < next) next = at;
    }
    return Math.max(0, next - now - SLACK_MS);
  }

  /** The clock is read after the alarm was set, or it would be due too early. */
  #read(client: number): void {
    const set = this.memory.alarm(client);
    if (set === this.#seen[client]) return;
    this.#seen[client] = set;
    const { at, setAt } = this.memory.moments(client);
    const ahead = Math.min(this.#ahead[client]!, this.now() - setAt);
    this.#ahead[client] = ahead;
    this.#due[client] = at + ahead - WAKE_MS;
  }
}

function wordOf(client: number): number {
  return (HEAD_BYTES + client * CLIENT_BYTES) / Int32Array.BYTES_PER_ELEMENT;
}

function momentOf(client: number): number {
  return (HEAD_BYTES + client * CLIENT_BYTES + 8) /
    Float64Array.BYTES_PER_ELEMENT;
}

/** A thread that wakes the event loops of other threads when their alarms are due. */
export class TimerThread {
  readonly memory: TimerMemory;
  readonly #thread: Worker;

  constructor(clients: number) {
    this.memory = TimerMemory.of(clients);
    this.#thread = new Worker(new URL("./timer_worker.ts", import.meta.url), {
      type: "module",
      name: "bench-timer",
    });
    // Without it the clients' clocks go by the timers of their event loops.
    this.#thread.onerror = (event) => {
      event.preventDefault();
      this.close();
    };
    this.#thread.postMessage(this.memory.buffer);
  }

  /** Ends the thread; what still sleeps is woken by the event loops' timers. */
  close(): void {
    this.memory.close();
    this.#thread.terminate();
  }
}
