import type { Clock } from "../../lib/base/time/clock.ts";
import { jsonResponse, numberIn, refuse, type Routes } from "./route.ts";

/** A clock on which every wait takes longer by a share. */
export function slowClock(clock: Clock, share: number): Clock {
  return {
    ...clock,
    now: () => clock.now(),
    wall: () => clock.wall(),
    sleep: (ms, signal) => clock.sleep(ms * (1 + share), signal),
  };
}

/**
 * Spends as much longer on a response as the share says. What it waits for is the slow
 * clock's part: to spend that here as well would make others wait.
 */
export function spentLonger<T>(
  work: () => T,
  share: number,
  clock: Clock,
): T {
  const from = clock.now();
  const found = work();
  const until = clock.now() + (clock.now() - from) * share;
  while (clock.now() < until);
  return found;
}

/** Longest work of one request, in milliseconds. */
const LONGEST = 1_000;

/**
 * Endpoints that break under load, each for a reason of its own. The third is
 * `GET /limited`.
 *
 * - `GET /burn?ms=n`: keeps every core busy for `n` milliseconds (5 by default),
 *   one request after the other. The machine is the limit.
 * - `GET /locked?ms=n`: holds the one lock for `n` milliseconds (10 by default),
 *   doing nothing. The lock is the limit, and the machine is idle.
 */
export function stressRoutes(burner: Burner): Routes {
  let lock: Promise<void> = Promise.resolve();
  return {
    "GET /burn": async ({ query }) => {
      const ms = workOf(query, 5);
      if (ms === undefined) return tooLong();
      await burner.burn(ms);
      return jsonResponse(200, { burned_ms: ms });
    },
    "GET /locked": async ({ query, clock }) => {
      const ms = workOf(query, 10);
      if (ms === undefined) return tooLong();
      const turn = lock.then(() => clock.sleep(ms));
      lock = turn;
      await turn;
      return jsonResponse(200, { locked_ms: ms });
    },
  };
}

function workOf(query: string, otherwise: number): number | undefined {
  const ms = numberIn(query, "ms", otherwise);
  return ms >= 0 && ms <= LONGEST ? ms : undefined;
}

function tooLong(): Response {
  return refuse(400, `\`ms\` must be a number from 0 to ${LONGEST}`);
}

/** Keeps cores busy. */
interface Burner {
  /** Resolves when every core has been kept busy for `ms`, one call after the other. */
  burn(ms: number): Promise<void>;
  close(): void;
}

/** A thread for each core; they are started when first needed. */
export function makeBurner(cores: number): Burner {
  let threads: Thread[] = [];
  return {
    async burn(ms) {
      if (threads.length === 0) {
        threads = Array.from({ length: cores }, startThread);
      }
      await Promise.all(threads.map((thread) => thread.burn(ms)));
    },
    close() {
      threads.forEach((thread) => thread.close());
      threads = [];
    },
  };
}

interface Thread {
  burn(ms: number): Promise<void>;
  close(): void;
}

function startThread(): Thread {
  const worker = new Worker(new URL("./burn_worker.ts", import.meta.url), {
    type: "module",
  });
  // Messages are handled in the order they were sent.
  const waiting: (() => void)[] = [];
  worker.onmessage = () => waiting.shift()?.();
  return {
    burn: (ms) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        worker.postMessage(ms);
      }),
    close() {
      worker.terminate();
      waiting.splice(0).forEach((resolve) => resolve());
    },
  };
}
