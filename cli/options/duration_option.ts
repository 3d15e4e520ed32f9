import { InvalidArgumentError } from "commander";
import { parseDuration } from "../../lib/base/values/duration.ts";

/** `60s` in microseconds, no shorter than `least`; else a usage error. */
export function durationOption(least: string): (text: string) => number {
  return (text) => {
    let us: number;
    try {
      us = parseDuration(text);
    } catch (error) {
      throw new InvalidArgumentError(`${(error as Error).message}.`);
    }
    if (us >= parseDuration(least)) return us;
    throw new InvalidArgumentError(
      `It must be ${least} or longer, but it is ${text}.`,
    );
  };
}
