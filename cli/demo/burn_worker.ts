import { systemClock } from "../../lib/base/time/clock.ts";

/*
 * A thread that does nothing but use its core: each message is a number of
 * milliseconds to keep it busy, and is sent back when they are over.
 */

const scope = self as unknown as Pick<
  Worker,
  "postMessage" | "onmessage"
>;

scope.onmessage = ({ data: ms }: MessageEvent<number>) => {
  const until = systemClock.now() + ms;
  while (systemClock.now() < until);
  scope.postMessage(ms);
};
