import { WorkLimitError } from "../../base/values/work.ts";

/** A value with its type, as the failure report shows it. */
export interface TypedValue {
  /** `integer`, `number`, `string`, `boolean`, `null`, `list`, `object`, `nothing`, `duration`. */
  readonly type: string;
  /** At most 200 characters. */
  readonly text: string;
  /** How an expected value was compared, when not for equality: `<`, `contains` ... */
  readonly operator?: string;
}

/** Why a step failed. */
export interface Failure {
  /**
   * Stable kebab-case cause: `assertion`, `extraction`, `status`, `resolution`,
   * `timeout`, `refused`, `reset`, `dns`, `tls`, `protocol`, `forbidden-host` ...
   */
  readonly code: string;
  readonly message: string;
  /** The assertion that does not hold, as `message` has it. */
  readonly check?: string;
  /** JSON Pointer into the IR of the part that failed; the step itself when absent. */
  readonly pointer?: string;
  readonly expected?: TypedValue;
  readonly actual?: TypedValue;
}

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
