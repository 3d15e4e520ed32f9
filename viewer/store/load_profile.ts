import type { RunDirectory } from "./run_directory.ts";

/** What a run's flow says of its load, as far as charts show it. */
interface LoadProfile {
  /** Requests a second that an open-loop run offers, whatever the target does. */
  readonly offered?: number;
  /** From the start of the run, so many seconds long. */
  readonly ramp?: {
    readonly from: number;
    readonly to: number;
    readonly seconds: number;
  };
}

/** Read from the stored flow; nothing of one that cannot be read. */
export async function loadProfile(run: RunDirectory): Promise<LoadProfile> {
  const { value } = await run.flow();
  try {
    const { arrival, vus } = JSON.parse(value ?? "").profile;
    const offered = arrival?.count / arrival?.per_us * 1_000_000;
    const seconds = vus?.over_us / 1_000_000;
    return {
      ...(Number.isFinite(offered) && offered > 0 && { offered }),
      ...(seconds > 0 && Number.isFinite(vus.from + vus.to) &&
        { ramp: { from: vus.from, to: vus.to, seconds } }),
    };
  } catch {
    return {};
  }
}
