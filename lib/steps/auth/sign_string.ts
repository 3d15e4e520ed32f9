import type { Diagnostic } from "../../base/text/diagnostic.ts";

/** What may be between braces in `sign`. */
export const PLACEHOLDERS = [
  "method",
  "path",
  "query",
  "body",
  "body_sha256",
  "timestamp",
  "key_id",
] as const;

export type Placeholder = (typeof PLACEHOLDERS)[number];

/** Literal text, or a placeholder. */
type SignPart = string | { readonly placeholder: Placeholder };

/** What is signed when a flow does not say otherwise. */
export const CANONICAL_STRING = "{method}\n{path}\n{timestamp}\n{body_sha256}";

const HINT = `placeholders: ${
  PLACEHOLDERS.map((name) => `{${name}}`).join(", ")
}`;

/**
 * What is wrong with `text` as a `sign` string; undefined when nothing is.
 * Every brace belongs to a placeholder, so that a misspelt one is never signed
 * as if it were text.
 */
export function checkSign(text: string): Diagnostic<string> | undefined {
  const message = refusal(text);
  return message === undefined
    ? undefined
    : { at: "/sign", code: "bad-sign", message, hint: HINT };
}

function refusal(text: string): string | undefined {
  const template = /\{\{[^{}]*\}\}/.exec(text);
  if (template) {
    return `\`sign\` takes no templates, but it has \`${template[0]}\``;
  }
  for (const [written, name] of text.matchAll(/\{([^{}]*)\}/g)) {
    if (!isPlaceholder(name!)) {
      return `\`sign\` has no placeholder \`${written}\``;
    }
  }
  const brace = /[{}]/.exec(text.replace(/\{[^{}]*\}/g, ""));
  return brace
    ? `\`sign\` has a \`${brace[0]}\` that belongs to no placeholder`
    : undefined;
}

/**
 * sign := ( text | "{" placeholder "}" )*
 *
 * @throws {SyntaxError} with the message of `checkSign`
 */
export function parseSign(text: string): readonly SignPart[] {
  const error = checkSign(text);
  if (error) throw new SyntaxError(error.message);
  return text.split(/(\{[^{}]*\})/).filter((part) => part !== "")
    .map((part) =>
      part.startsWith("{")
        ? { placeholder: part.slice(1, -1) as Placeholder }
        : part
    );
}

function isPlaceholder(name: string): name is Placeholder {
  return (PLACEHOLDERS as readonly string[]).includes(name);
}
