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
  /** JSON Pointer into the IR of the part that failed; the step itself when absent. */
  readonly pointer?: string;
  readonly expected?: TypedValue;
  readonly actual?: TypedValue;
}
