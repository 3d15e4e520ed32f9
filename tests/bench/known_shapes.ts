import type { Clock } from "../../lib/base/time/clock.ts";
import { seededRandom } from "../../lib/base/time/random.ts";

/** What a target of known service times does. */
export const SHAPES = [
  "constant",
  "bimodal",
  "stall",
  "queue",
  "slow_first_byte",
] as const;
export type Shape = typeof SHAPES[number];

/** What each of them is, for a person. */
export const SHAPE_TEXTS: Readonly<Record<Shape, string>> = {
  constant: "20 ms",
  bimodal: "2 ms, and 200 ms for 2 % of the requests",
  stall: "2 ms, and nothing for one second in ten",
  queue: "one worker, 0.5 ms a request",
  slow_first_byte: "30 ms to the first byte, 10 ms more to the last",
};

/**
 * Waits until a response is due; resolves to the wait between its head and its
 * body, if there is one.
 */
type Respond = (received: number) => Promise<number | undefined>;

/** The behaviour of a shape. */
export function responseOf(shape: Shape, clock: Clock): Respond {
  const until = async (at: number): Promise<undefined> => {
    const left = at - clock.now();
    if (left > 0) await clock.sleep(left);
  };
  switch (shape) {
    case "constant":
      return (received) => until(received + 20);
    case "bimodal": {
      const random = seededRandom(1);
      return (received) => until(received + (random() < 0.02 ? 200 : 2));
    }
    case "stall": {
      // It begins three seconds in, whichever request is the first.
      let first: number | undefined;
      return (received) => {
        first ??= received;
        const at = (received - first + 7_000) % 10_000;
        return until(received + Math.max(2, 1_000 - at));
      };
    }
    case "queue": {
      let free = 0;
      return (received) => until(free = Math.max(free, received) + 0.5);
    }
    case "slow_first_byte":
      return async (received) => {
        await until(received + 30);
        return 10;
      };
  }
}
