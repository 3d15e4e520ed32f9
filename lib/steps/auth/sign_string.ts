/** What may stand between braces in `sign`. */
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
export type SignPart = string | { readonly placeholder: Placeholder };

/** What is wrong with a `sign` text. */
export interface SignMistake {
  readonly message: string;
  readonly hint: string;
}

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
export function checkSign(text: string): SignMistake | undefined {
  const template = /\{\{[^{}]*\}\}/.exec(text);
  if (template) {
    return {
      message: `\`sign\` takes no templates, but it has \`${template[0]}\``,
      hint: HINT,
    };
  }
  for (const [written, name] of text.matchAll(/\{([^{}]*)\}/g)) {
    if (!isPlaceholder(name!)) {
      return {
        message: `\`sign\` has no placeholder \`${written}\``,
        hint: HINT,
      };
    }
  }
  const brace = /[{}]/.exec(text.replace(/\{[^{}]*\}/g, ""));
  if (brace) {
    return {
      message: `\`sign\` has a \`${brace[0]}\` that belongs to no placeholder`,
      hint: HINT,
    };
  }
}

/**
 * sign := ( text | "{" placeholder "}" )*
 *
 * @throws {SyntaxError} with the message of `checkSign`
 */
export function parseSign(text: string): readonly SignPart[] {
  const mistake = checkSign(text);
  if (mistake) throw new SyntaxError(mistake.message);
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
