import { domainToUnicode } from "node:url";
import type { View } from "./views.ts";

/** A label of a host name in punycode (RFC 5890 section 2.3.2.1). */
const LABEL = /xn--[a-z0-9-]+/gi;

/**
 * What labels in punycode stand for. Its digits are not side by side with the
 * characters they stand for, so that a label counts as a whole.
 */
export function* hostViews(text: string): Generator<View> {
  for (const { 0: label, index } of text.matchAll(LABEL)) {
    const plain = domainToUnicode(label);
    if (plain === "" || plain === label) continue;
    yield { text: plain, source: () => [index, index + label.length] };
  }
}
