/// <reference lib="deno.worker" />
import { TimerMemory } from "./timer_thread.ts";

/*
 * The timer thread. It sleeps in `Atomics.wait`, which the system ends some
 * 60 us late where a timer of the event loop is a millisecond late, and wakes
 * the event loop of the client whose alarm is due.
 */

/** How much later than asked the system ends a wait, as a rule. */
const SLACK_MS = 0.02;
/** How long it takes at the least until the client's event loop runs. */
const WAKE_MS = 0.015;

interface Alarm {
  /** The number of the alarm that went off last. */
  rung: number;
  /** How far this thread's clock is ahead of the client's. */
  ahead: number;
}

self.onmessage = ({ data }: MessageEvent<SharedArrayBuffer>) => {
  const memory = new TimerMemory(data);
  const alarms = Array.from({ length: memory.clients }, (): Alarm => ({
    rung: 0,
    ahead: Infinity,
  }));
  memory.start();
  for (;;) {
    const changes = memory.changes();
    if (memory.closed) return self.close();
    memory.wait(changes, ringDue(memory, alarms));
  }
};

/** Rings what is due; how long to wait for the next alarm, 0 where that is too close. */
function ringDue(memory: TimerMemory, alarms: readonly Alarm[]): number {
  let left = Infinity;
  alarms.forEach((alarm, client) => {
    const set = memory.alarm(client);
    if (set === alarm.rung) return;
    const { at, setAt } = memory.moments(client);
    const now = performance.now();
    alarm.ahead = Math.min(alarm.ahead, now - setAt);
    const dueIn = at + alarm.ahead - now - WAKE_MS;
    if (dueIn > 0) {
      left = Math.min(left, dueIn);
    } else {
      alarm.rung = set;
      memory.ring(client);
    }
  });
  return Math.max(0, left - SLACK_MS);
}
