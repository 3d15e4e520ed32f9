import type { Severity } from "./diagnostic.ts";
import type { TextPlace } from "./within.ts";

/**
 * Takes one diagnostic of a flow.
 *
 * @param pointer JSON Pointer into the IR (RFC 6901); the source map knows
 *   where that was written
 * @param inside what is at fault within the string at `pointer`: its text, or
 *   its place where the text may stand there more than once
 * @param severity an error when absent
 */
export type Report = (
  pointer: string,
  code: string,
  message: string,
  hint?: string,
  inside?: string | TextPlace,
  severity?: Severity,
) => void;
