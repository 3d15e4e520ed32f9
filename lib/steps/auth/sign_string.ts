import type { Diagnostic } from "../../base/text/diagnostic.ts";
import type { RequestDraft } from "./scheme.ts";
import { bodyDigest } from "./signature.ts";

/** What one placeholder is for one attempt. */
type Piece = (
  draft: RequestDraft,
  timestamp: string,
  keyId: string,
) => string | Uint8Array;

/** What may be between braces in `sign`. */
const PIECES: Readonly<Record<string, Piece>> = {
  method: ({ method }) => method,
  path: ({ path }) => path,
  query: ({ query }) => query,
  body: ({ body }) => body,
  body_sha256: ({ body }) => bodyDigest(body),
  timestamp: (_draft, timestamp) => timestamp,
  key_id: (_draft, _timestamp, keyId) => keyId,
};

/** What is signed when a flow does not say otherwise. */
export const CANONICAL_STRING = "{method}\n{path}\n{timestamp}\n{body_sha256}";

const HINT = `placeholders: ${
  Object.keys(PIECES).map((name) => `{${name}}`).join(", ")
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
    if (!Object.hasOwn(PIECES, name!)) {
      return `\`sign\` has no placeholder \`${written}\``;
    }
  }
  const brace = /[{}]/.exec(text.replace(/\{[^{}]*\}/g, ""));
  return brace
    ? `\`sign\` has a \`${brace[0]}\` that belongs to no placeholder`
    : undefined;
}

/**
 * Compiles `sign := ( text | "{" placeholder "}" )*`, of which `checkSign` says
 * nothing. Neighbouring text is joined, so that a usual one is one update of the HMAC.
 */
export function compileSign(
  sign: string,
): (...attempt: Parameters<Piece>) => readonly (string | Uint8Array)[] {
  // Every second part is a placeholder.
  const pieces = sign.split(/\{([^{}]*)\}/)
    .map((part, index) => index % 2 === 0 ? part : PIECES[part]!);
  return (draft, timestamp, keyId) => {
    const parts: (string | Uint8Array)[] = [];
    let text = "";
    for (const piece of pieces) {
      const value = typeof piece === "string"
        ? piece
        : piece(draft, timestamp, keyId);
      if (typeof value === "string") text += value;
      else {
        parts.push(text, value);
        text = "";
      }
    }
    if (text !== "") parts.push(text);
    return parts;
  };
}
