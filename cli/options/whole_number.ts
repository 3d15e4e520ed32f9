import { InvalidArgumentError } from "commander";

/** A whole number of the range, or a usage error. */
export function wholeNumber(
  min: number,
  max: number,
): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(
      `It must be a whole number from ${min} to ${max}, but it is ${
        JSON.stringify(text)
      }.`,
    );
  };
}
