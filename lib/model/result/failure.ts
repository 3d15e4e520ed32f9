import * as v from "valibot";
import { WorkLimitError } from "../../base/values/work.ts";
import { object, own, type Stored } from "./stored.ts";

const s = v.string();

/** A value with its type, as the failure report shows it. */
export type TypedValue = Stored<typeof typedValue>;
export const typedValue = object({
  /** `integer`, `number`, `string`, `boolean`, `null`, `list`, `object`, `nothing`, `duration`. */
  type: own,
  /** At most 200 characters. */
  text: s,
  /** How an expected value was compared, when not for equality: `<`, `contains` ... */
  operator: v.exactOptional(own),
});

/** One exchange as a person looks at it; nothing in it is a secret. */
export type Exchange = Stored<typeof exchange>;
export const exchange = object({
  /** `POST /login HTTP/1.1`. */
  request: v.exactOptional(s),
  /** `HTTP/1.1 401 Unauthorized`. */
  response: v.exactOptional(s),
  /** The beginning of its body, where that is text. */
  body: v.exactOptional(s),
});

/** Why a step failed. */
export type Failure = Stored<typeof stepFailure>;
export const stepFailure = object({
  /**
   * Stable kebab-case cause: `assertion`, `extraction`, `status`, `resolution`,
   * `timeout`, `refused`, `exhausted`, `reset`, `dns`, `tls`, `protocol`, `forbidden-host` ...
   */
  code: own,
  message: s,
  /** The assertion that does not hold, as `message` has it. */
  check: v.exactOptional(own),
  /** JSON Pointer into the IR of the part that failed; the step itself when absent. */
  pointer: v.exactOptional(own),
  expected: v.exactOptional(typedValue),
  actual: v.exactOptional(typedValue),
});

/** The code of a connection that this machine had no descriptor, port or address left for. */
export const EXHAUSTED = "exhausted";

/**
 * The failure of a step whose response broke what looked at it. A target can make
 * any response it likes: none of them may end more than its step.
 */
export function failureBy(error: unknown): Failure {
  return error instanceof WorkLimitError
    ? { code: "limit", message: error.message }
    : {
      code: "fault",
      message: `bench broke on this response, please report it: ${error}`,
    };
}

/** The parts of a failure that distinguish its cause from others. */
type Cause = Pick<
  Failure,
  "code" | "message" | "check" | "expected" | "actual"
>;

const IDS =
  /\b(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[a-f]*\d)[0-9a-f]{12,})\b/gi;
/**
 * Numbers, with their unit where they are durations: `980ms` and `1.2s` are
 * alike. Statuses and close codes are the cause, so they stay.
 */
const NUMBERS =
  /(\b(?:(?:status(?: was| is the integer)?|code|HTTP\/[\d.]+)\s+|status(?: was| is)? [A-Z_]+ \())?(?<![\w.])(?:-?\d+(?:\.\d+)?|<n>)(?:(?:us|ms|[smh])(?:\d\d[ms]){0,2})?(?!\w)/gi;

/** Equal for failures of one cause in one step, in traces and in `meta.json`. */
export function failureKey(step: string, cause: Cause): string {
  return [step, cause.code, openMessage(cause)].join("|");
}

/**
 * The message with what differs from one failure of its group to the next left
 * open. What an assertion expects is the flow's and stays as it is.
 */
export function openMessage(cause: Cause): string {
  const { message, check = "", expected, actual } = cause;
  const at = check === "" ? -1 : message.indexOf(check);
  if (at < 0) return leaveOpen(message);
  const why = message.slice(at + check.length);
  return leaveOpen(message.slice(0, at)) + check +
    leaveOpen(withoutText(withoutText(why, actual), expected));
}

/** A string of a response, or of a template, may be another one each time. */
function withoutText(why: string, value: TypedValue | undefined): string {
  return value?.type === "string" && value.text !== ""
    ? why.replace(`the string ${value.text}`, "the string <text>")
    : why;
}

function leaveOpen(text: string): string {
  return text.replaceAll(IDS, "<id>").replaceAll(
    NUMBERS,
    (whole, kept?: string) => kept === undefined ? "<n>" : whole,
  );
}
