/// <reference lib="deno.worker" />
import { Alarms, TimerMemory } from "./timer_thread.ts";

/*
 * The timer thread. It sleeps in `Atomics.wait`, which the system ends some
 * 60 us late where a timer of the event loop is a millisecond late, and wakes
 * the event loop of the client whose alarm is due.
 */

self.onmessage = ({ data }: MessageEvent<SharedArrayBuffer>) => {
  const memory = new TimerMemory(data);
  const alarms = new Alarms(memory, () => performance.now());
  memory.start();
  for (;;) {
    const changes = memory.changes();
    if (memory.closed) return self.close();
    memory.wait(changes, alarms.ringDue());
  }
};
