import { BenchError, EXIT } from "../../base/errors/bench_error.ts";
import type { RunMeta, StopSignal } from "../../model/result/run.ts";

/** How a run came out, as far as its exit code is concerned. */
interface Ending {
  /** Refused before the first request. */
  readonly refused?: boolean;
  readonly signal?: StopSignal | undefined;
  /** The engine or the store could not finish. */
  readonly errored?: boolean;
  readonly verdict?: "pass" | "fail" | null;
}

const OF_SIGNAL: Readonly<Record<StopSignal, number>> = {
  SIGHUP: EXIT.sighup,
  SIGINT: EXIT.sigint,
  SIGTERM: EXIT.sigterm,
};

/** The exit code. When several apply: 2, then the signal, then 3, then 1. */
export function exitCode(ending: Ending): number {
  if (ending.refused) return EXIT.refused;
  if (ending.signal) return OF_SIGNAL[ending.signal];
  if (ending.errored) return EXIT.errored;
  return ending.verdict === "fail" ? EXIT.verdictFailed : EXIT.held;
}

/** The exit code a stored run says; one that says none did not finish. */
export function exitCodeOf(
  meta: { readonly exit_code: number | null },
): number {
  return meta.exit_code ?? EXIT.errored;
}

/**
 * Checks that a run carried out any iteration, so that it says something.
 *
 * @param lost the consequence of it for a person; that it made no load unless said
 * @throws {BenchError} when its `setup` did not pass
 */
export function checkBegun(
  { id, setup, status, abort_reason }: RunMeta,
  lost = `run \`${id}\` made no load`,
): void {
  if (status !== "aborted" || !setup || setup.outcome === "passed") return;
  const message = `${lost}: ${abort_reason}`;
  throw new BenchError(message, { exitCode: EXIT.verdictFailed });
}

/** Worst first, of runs that began: a signal, then an error, then a verdict. */
const WORST = [...Object.values(OF_SIGNAL), EXIT.refused, EXIT.errored];

/** The exit code of several runs together. */
export function worstExitCode(codes: readonly number[]): number {
  return WORST.find((each) => codes.includes(each)) ?? Math.max(0, ...codes);
}
