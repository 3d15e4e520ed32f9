/** What a trace needs to know of a step; a step of the IR is one. */
export interface TracedStep {
  readonly id: string;
  readonly kind: string;
  /** Present on a step with a retry policy, whose attempts are spans. */
  readonly retry?: unknown;
  /** What else its protocol reports of it, such as the operation. */
  readonly facts?: Readonly<Record<string, string>>;
  /** What its checks expect, by `<kind>@<name>`. */
  readonly checks?: Readonly<Record<string, string>>;
  /** What its statuses are called, where they have names. */
  readonly statuses?: ReadonlyMap<number, string>;
}
