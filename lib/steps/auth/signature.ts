import { createHash } from "node:crypto";
import type { Diagnostic } from "../../base/text/diagnostic.ts";
import type { RequestDraft } from "./scheme.ts";

export const ALGORITHMS = ["sha256", "sha512"] as const;
type Algorithm = (typeof ALGORITHMS)[number];

export const ENCODINGS = ["hex", "base64"] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Bytes of one block of each hash (RFC 6234 section 1). */
const BLOCK: Readonly<Record<Algorithm, number>> = { sha256: 64, sha512: 128 };

const NO_BODY = createHash("sha256").digest("hex");

/** A key made ready for one algorithm. */
export interface SigningKey {
  readonly algorithm: Algorithm;
  /** The key, filled up to a block, mixed with 0x36 and with 0x5c. */
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

/** Prepares a key; text counts in UTF-8 (RFC 2104 section 2). */
export function signingKey(
  algorithm: Algorithm,
  key: string | Uint8Array,
): SigningKey {
  const bytes = typeof key === "string" ? new TextEncoder().encode(key) : key;
  const block = new Uint8Array(BLOCK[algorithm]);
  block.set(
    bytes.length > block.length
      ? createHash(algorithm).update(bytes).digest()
      : bytes,
  );
  return {
    algorithm,
    inner: block.map((byte) => byte ^ 0x36),
    outer: block.map((byte) => byte ^ 0x5c),
  };
}

/**
 * HMAC over the concatenation of `parts`; text counts in UTF-8. Made of two
 * plain hashes because Deno's `createHmac` takes more than twice as long, and
 * this runs for every request.
 *
 * @returns lower-case hex, or base64 with padding
 */
export function signature(
  { algorithm, inner, outer }: SigningKey,
  parts: readonly (string | Uint8Array)[],
  encoding: Encoding,
): string {
  const message = createHash(algorithm).update(inner);
  for (const part of parts) message.update(part);
  return createHash(algorithm).update(outer).update(message.digest())
    .digest(encoding);
}

/** SHA-256 of a body in lower-case hex, whatever the HMAC itself uses. */
function bodyDigest(body: Uint8Array): string {
  return body.length === 0
    ? NO_BODY
    : createHash("sha256").update(body).digest("hex");
}

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
