import { formatDuration } from "../../base/values/duration.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { Assertion } from "../../language/ir.ts";
import type { Failure } from "../../model/result/failure.ts";
import type {
  AttemptResult,
  CheckResult,
} from "../../model/result/iteration.ts";
import type { CompiledPoll } from "./compiled_step.ts";

/** The result of a step, whatever its last response says. */
export interface Ending {
  readonly outcome: Outcome;
  /** @param cause what is wrong with the last response */
  failure(cause?: Failure): Failure;
}

/** The decision after an attempt: another one, an ending, or the outcome of the response itself. */
export type Next =
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "end"; readonly ending: Ending }
  | undefined;

/** Failures that the next round would meet as well, or that end the run. */
const FINAL: ReadonlySet<string> = new Set(["forbidden-host", "aborted"]);

/**
 * Decides what follows the latest round. Its conditions are checked whatever the
 * status is; a round without a whole response does not hold, and what cannot be sent
 * ends it, unless only the time for that ran out.
 *
 * @param since when the first round began, to wait for a token maybe
 */
export function afterRound(
  poll: CompiledPoll,
  rounds: readonly AttemptResult[],
  since: number,
  now: number,
): Next {
  const { startedAt, response, outcome, checks, failure } = rounds.at(-1)!;
  const unsendable = !response && outcome !== "throttled" &&
    failure?.code !== "timeout";
  if (unsendable || (failure && FINAL.has(failure.code))) return undefined;
  if (checks?.every((each) => !each.failure)) return undefined;
  const senseless = checks?.find(({ failure }) =>
    failure?.code === "resolution"
  );
  if (senseless) {
    return {
      kind: "end",
      ending: { outcome: "failed", failure: () => senseless.failure! },
    };
  }
  const next = Math.max(now, startedAt + poll.intervalMs);
  const left = roundLimit(poll, next - since) ?? Infinity;
  return rounds.length < (poll.maxAttempts ?? Infinity) && left > 0
    ? { kind: "wait", ms: next - now }
    : { kind: "end", ending: gaveUp(poll, rounds) };
}

/** A bound was reached: throttled when the last response was a throttle. */
export function gaveUp(
  poll: CompiledPoll,
  rounds: readonly AttemptResult[],
): Ending {
  const reported = rounds.findLast(({ checks, outcome }) =>
    checks ?? outcome === "throttled"
  );
  const { checks, failure } = reportedRound(poll, rounds);
  const unmet = checks && tellingFailure(checks, poll.conditions);
  const { message, ...cause } = unmet ?? failure!;
  const count = rounds.length === 1 ? "1 round" : `${rounds.length} rounds`;
  // A timeout says by itself how long that is.
  const { timeoutMs, maxAttempts = Infinity } = poll;
  const within = timeoutMs === undefined || cause.code === "timeout" ||
      rounds.length >= maxAttempts
    ? ""
    : ` within ${formatDuration(Math.round(timeoutMs * 1_000))}`;
  return {
    outcome: reported?.outcome === "throttled" ? "throttled" : "failed",
    failure: () => ({
      ...cause,
      message: `gave up after ${count}${within}: ${message}`,
      ...(unmet && { code: "poll" }),
    }),
  };
}

/** The last round; the one before where the poll's own bound cut the last one off. */
function reportedRound(
  { timeoutMs }: CompiledPoll,
  rounds: readonly AttemptResult[],
): AttemptResult {
  const last = rounds.at(-1)!;
  const before = rounds.at(-2);
  const cutOff = timeoutMs !== undefined && last.failure?.code === "timeout";
  return cutOff && before?.checks ? before : last;
}

/** Rounds of one poll end at no more than this many different lengths of time. */
const LIMITS = 256;

/**
 * How long a round may take that begins so long after the first; 0 when no time
 * is left. Rounded down to whole steps, because each length of a deadline costs
 * a sleeper of its own.
 */
export function roundLimit(
  { timeoutMs }: CompiledPoll,
  elapsedMs: number,
): number | undefined {
  if (timeoutMs === undefined || elapsedMs <= 0) return timeoutMs;
  const step = Math.max(1, Math.ceil(timeoutMs / LIMITS));
  return Math.max(0, Math.floor((timeoutMs - elapsedMs) / step) * step);
}

/**
 * The failed check a person should see first: one on the status explains what
 * the others only suffer from.
 *
 * @param assertions what checks that are not extractions go by, by their index
 */
export function tellingFailure(
  checks: readonly CheckResult[],
  assertions: readonly Assertion[],
): Failure | undefined {
  const failed = checks.filter((each) => each.failure);
  const onStatus = failed.find(({ kind, name }) =>
    kind !== "extract" && assertions[Number(name)]?.subject.kind === "status"
  );
  return (onStatus ?? failed[0])?.failure;
}
