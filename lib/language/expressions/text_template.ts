import type { Scope } from "./names.ts";

/** A template made ready: text for one scope. */
export interface TextTemplate {
  /** The text, when it is the same for every scope (literals and env only). */
  readonly constant?: string;
  render(scope: Scope): string;
}

/** Text that is known, or how it is made. */
export type TextPart = string | ((scope: Scope) => string);

/** A template as a part of a longer one. */
export function partOf({ constant, render }: TextTemplate): TextPart {
  return constant ?? render;
}

/** Parts one after the other; constant when all of them are known. */
export function joinedText(parts: Iterable<TextPart>): TextTemplate {
  const merged = mergeKnown(parts);
  const [first = "", ...rest] = merged;
  if (rest.length > 0) {
    return {
      render(scope) {
        let out = "";
        for (const part of merged) {
          out += typeof part === "string" ? part : part(scope);
        }
        return out;
      },
    };
  }
  return typeof first === "string"
    ? { constant: first, render: () => first }
    : { render: first };
}

function mergeKnown(parts: Iterable<TextPart>): TextPart[] {
  const merged: TextPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (typeof part === "string" && typeof last === "string") {
      merged[merged.length - 1] = last + part;
    } else if (part !== "") merged.push(part);
  }
  return merged;
}
