import { TimerMemory } from "./timer_memory.ts";

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
