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

/** The lines of this field alone are values that no comma may join (RFC 6265 section 3). */
const UNJOINED = "set-cookie";

/**
 * What the lines of the field `name` say together: their values joined by commas
 * (RFC 9110 section 5.2), those of `Set-Cookie` as a list. Undefined without a line.
 */
export function fieldValue(
  name: string,
  lines: readonly string[],
): string | string[] | undefined {
  if (lines.length < 2) return lines[0];
  return name.toLowerCase() === UNJOINED ? [...lines] : lines.join(", ");
}

/** The first value of the field `name`, whatever case it is written in. */
export function headerValue(
  headers: HeaderList,
  name: string,
): string | undefined {
  const lowerCase = name.toLowerCase();
  return headers.find(([each]) => each.toLowerCase() === lowerCase)?.[1];
}
