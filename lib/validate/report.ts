/**
 * Takes one mistake in a flow.
 *
 * @param pointer JSON Pointer into the IR (RFC 6901); the source map knows
 *   where that was written
 * @param inside the text at fault within the string at `pointer`
 */
export type Report = (
  pointer: string,
  code: string,
  message: string,
  hint?: string,
  inside?: string,
) => void;
