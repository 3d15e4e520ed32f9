import { InvalidArgumentError } from "commander";
import { parseDuration } from "../../lib/base/values/duration.ts";
import type { Kind } from "./option.ts";

/**
 * The value of an option, from the text of a command line.
 *
 * @param before what the same flag gave before
 * @throws {InvalidArgumentError} that says what it must be
 */
export function parseValue(
  kind: Kind,
  text: string,
  before?: unknown,
): unknown {
  switch (kind.type) {
    case "texts":
      return [...before as string[] ?? [], text];
    case "whole":
      return whole(text, kind.min, kind.max);
    case "positive":
      return positive(text);
    case "share":
      return share(text);
    case "duration":
      return duration(text, kind.least);
    case "own":
      return kind.read(text);
    default:
      return text;
  }
}

function whole(text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw mustBe(`a whole number from ${min} to ${max}`, text);
}

function positive(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw mustBe("a number above 0", text);
}

function share(text: string): number {
  const [, digits] = /^(\d+(?:\.\d+)?)\s*%$/.exec(text) ?? [];
  const value = Number(digits) / 100;
  if (value > 0 && value <= 1) return value;
  throw mustBe("a percentage above 0% and up to 100%", text);
}

/** In microseconds. */
function duration(text: string, least: string): number {
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
}

/** The usage error about a text that is something else. */
export function mustBe(what: string, text: string): InvalidArgumentError {
  return new InvalidArgumentError(
    `It must be ${what}, but it is ${JSON.stringify(text)}.`,
  );
}
