import { compileFlow, type InputFile } from "../../lib/compile.ts";

/** A load that stays as it is. */
export interface SteadyLoad {
  /** Microseconds. */
  readonly for: number;
  /** In place of the profile's. */
  readonly vus?: number;
}

/**
 * A flow with the load of its profile at its peak, for a given time: without ramp,
 * and without a bound on iterations.
 *
 * @throws {InputError} when the flow does not compile
 */
export async function withSteadyLoad(
  input: InputFile,
  { for: holdUs, vus }: SteadyLoad,
): Promise<InputFile> {
  const { flow: { profile } } = await compileFlow(input);
  const peak = typeof profile.vus === "number"
    ? profile.vus
    : Math.max(profile.vus.from, profile.vus.to);
  return {
    ...input,
    mode: "load",
    load: {
      vus: vus ?? Math.max(1, peak),
      hold_us: holdUs,
      ...(profile.arrival && { arrival: profile.arrival }),
    },
  };
}
