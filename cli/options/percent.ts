import { InvalidArgumentError } from "commander";

/** `5%` as a share, or a usage error. */
export function percentOption(text: string): number {
  const [, digits] = /^(\d+(?:\.\d+)?)\s*%$/.exec(text) ?? [];
  const share = Number(digits) / 100;
  if (share > 0 && share <= 1) return share;
  throw new InvalidArgumentError(
    `It must be a percentage above 0% and up to 100%, but it is ${
      JSON.stringify(text)
    }.`,
  );
}
