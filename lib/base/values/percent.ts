import { ifPossible } from "./if_possible.ts";

/** Text with its percent-encoding undone, or as it is where that is broken. */
export function percentDecoded(text: string): string {
  return ifPossible(() => decodeURIComponent(text), text);
}
