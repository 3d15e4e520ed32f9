import type { Failure } from "./failure.ts";

/** What distinguishes the causes of failures. */
type Cause = Pick<Failure, "code" | "message" | "check">;

const IDS =
  /\b(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[a-f]*\d)[0-9a-f]{12,})\b/gi;
/**
 * Numbers, with their unit where they are durations: `980ms` and `1.2s` are
 * alike. Statuses and close codes are the cause, so they stay.
 */
const NUMBERS =
  /(\b(?:status|code|HTTP\/[\d.]+)\s+)?(?<![\w.])(?:-?\d+(?:\.\d+)?|<n>)(?:(?:us|ms|[smh])(?:\d\d[ms]){0,2})?(?!\w)/gi;

/** Equal for failures of one cause in one step, in traces and in `meta.json`. */
export function failureKey(step: string, cause: Cause): string {
  return [step, cause.code, openMessage(cause)].join("|");
}

/**
 * The message with what differs from one failure of its group to the next left
 * open. What an assertion expects is the flow's and stays as it is.
 */
export function openMessage({ message, check = "" }: Cause): string {
  const at = check === "" ? -1 : message.indexOf(check);
  return at < 0 ? leaveOpen(message) : leaveOpen(message.slice(0, at)) + check +
    leaveOpen(message.slice(at + check.length));
}

function leaveOpen(text: string): string {
  return text.replaceAll(IDS, "<id>").replaceAll(
    NUMBERS,
    (whole, kept?: string) => kept === undefined ? "<n>" : whole,
  );
}
