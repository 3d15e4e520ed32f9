/**
 * Header fields in the order they travel. Names keep the case they were
 * written in; comparing them ignores case (RFC 9110 section 5.1).
 */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Every value of the field `name`, in order. */
export function headerValues(headers: HeaderList, name: string): string[] {
  const lowerCase = name.toLowerCase();
  return headers.filter(([each]) => each.toLowerCase() === lowerCase)
    .map(([, value]) => value);
}

/** The first value of the field `name`, whatever case it is written in. */
export function headerValue(
  headers: HeaderList,
  name: string,
): string | undefined {
  const lowerCase = name.toLowerCase();
  return headers.find(([each]) => each.toLowerCase() === lowerCase)?.[1];
}
