/** What sets samples apart from independent ones. */
export interface Design {
  /** How many of them say as much as one independent sample. */
  readonly effect: number;
  /** How much of the variance is between seconds, and so estimated. */
  readonly share: number;
}

/**
 * @param within variance of a second's count that is chance among its samples
 * @param between what seconds differ by beyond that, for as long as they hang together
 */
export function designOf(within: number, between: number): Design {
  if (within === 0) return { effect: 1, share: 0 };
  const whole = within + between;
  return { effect: whole / within, share: between / whole };
}
