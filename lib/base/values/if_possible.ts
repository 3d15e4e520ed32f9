/** The value of `work`; another one where it throws. */
export function ifPossible<Value, Otherwise>(
  work: () => Value,
  otherwise: Otherwise,
): Value | Otherwise {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
