import { createHash, hash } from "node:crypto";
import { type Diagnostic, isError } from "../../base/text/diagnostic.ts";
import { child, type JsonObject } from "../../base/values/json.ts";
import { SHA256_OF_NOTHING } from "../../base/values/sha256.ts";
import {
  compileText,
  type Names,
  type Scope,
} from "../../language/expressions/template.ts";
import {
  defaulted,
  type ObjectOf,
  optional,
  required,
} from "../../language/fields/field.ts";
import { oneOf, string } from "../../language/fields/scalars.ts";
import { secret, templated } from "../../language/fields/templates.ts";
import {
  fixedName,
  literalHeaderNames,
  literalOf,
  nameErrors,
  valueErrors,
} from "./fixed_name.ts";
import {
  AuthError,
  type Authorizer,
  type AuthTools,
  type RequestDraft,
  type Scheme,
} from "./scheme.ts";

const ALGORITHMS = ["sha256", "sha512"] as const;
type Algorithm = (typeof ALGORITHMS)[number];

const ENCODINGS = ["hex", "base64"] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Bytes of one block of each hash (RFC 6234 section 1). */
const BLOCK: Readonly<Record<Algorithm, number>> = { sha256: 64, sha512: 128 };

/** A key made ready for one algorithm. */
interface SigningKey {
  readonly algorithm: Algorithm;
  /** The key, filled up to a block, mixed with 0x36 and with 0x5c. */
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

/** Prepares a key; text counts in UTF-8 (RFC 2104 section 2). */
function signingKey(algorithm: Algorithm, key: string): SigningKey {
  const bytes = new TextEncoder().encode(key);
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
function signature(
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
  return body.length === 0 ? SHA256_OF_NOTHING : hash("sha256", body);
}

/** The text of one placeholder for one attempt. */
type Piece = (
  draft: RequestDraft,
  timestamp: string,
  keyId: string,
) => string | Uint8Array;

/** The placeholders of `sign`. */
const PIECES: Readonly<Record<string, Piece>> = {
  method: ({ method }) => method,
  path: ({ path }) => path,
  query: ({ query }) => query,
  body: ({ body }) => body,
  body_sha256: ({ body }) => bodyDigest(body),
  timestamp: (_draft, timestamp) => timestamp,
  key_id: (_draft, _timestamp, keyId) => keyId,
};

/** The text that is signed when a flow does not say otherwise. */
const CANONICAL_STRING = "{method}\n{path}\n{timestamp}\n{body_sha256}";

const HINT = `placeholders: ${
  Object.keys(PIECES).map((name) => `{${name}}`).join(", ")
}`;

/**
 * The errors in `text` as a `sign` string. Every brace belongs to a placeholder, so
 * that a misspelt one is never signed as if it were text.
 */
function checkSign(text: string): readonly Diagnostic<string>[] {
  const bare = text.replaceAll(TEMPLATE, "");
  const unknown = [...bare.matchAll(PLACEHOLDER)]
    .filter(([, name]) => !Object.hasOwn(PIECES, name!));
  const [brace] = /[{}]/.exec(bare.replaceAll(PLACEHOLDER, "")) ?? [];
  const messages = [
    ...[...text.matchAll(TEMPLATE)].map(([written]) =>
      `\`sign\` takes no templates, but it has \`${written}\``
    ),
    ...unknown.map(([written]) => `\`sign\` has no placeholder \`${written}\``),
    ...brace === undefined
      ? []
      : [`\`sign\` has a \`${brace}\` that belongs to no placeholder`],
  ];
  return [...new Set(messages)]
    .map((message) => ({ at: "/sign", code: "bad-sign", message, hint: HINT }));
}

const TEMPLATE = /\{\{[^{}]*\}\}/g;
const PLACEHOLDER = /\{([^{}]*)\}/g;

/**
 * Compiles `sign := ( text | "{" placeholder "}" )*`, of which `checkSign` says
 * nothing. Neighbouring text is joined, so that a usual one is one update of the HMAC.
 */
function compileSign(
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

const header = (fallback: string, doc: string) =>
  defaulted(templated, fallback, doc);

const KEY_ID = "X-Key-Id";

const fields = {
  secret: required(secret(), "the key: one {{ env.* }} template"),
  algorithm: defaulted(
    oneOf(ALGORITHMS),
    ALGORITHMS[0],
    "the hash that signs",
  ),
  encoding: defaulted(
    oneOf(ENCODINGS),
    ENCODINGS[0],
    "how the signature is written",
  ),
  header: header("X-Signature", "field of the signature"),
  key_id: optional(templated, "which key signed; sent when it is set"),
  key_id_header: header(KEY_ID, "field of the key id"),
  timestamp_header: optional(
    templated,
    "field of the signing time; sent when it is set",
  ),
  sign: defaulted(
    string,
    CANONICAL_STRING,
    "what is signed, with {method}, {path} and other placeholders",
  ),
};

type Block = ObjectOf<typeof fields>;

/** A signature of each attempt's final bytes, in a header field. */
export const hmac: Scheme<Block> = {
  name: "hmac",
  doc: "A signature of each attempt.",
  fields,
  check: errors,
  headerNames: (block) =>
    literalHeaderNames(
      block,
      "header",
      "timestamp_header",
      ...(block.key_id === undefined ? [] : ["key_id_header"]),
    ),
  prepare: compileSigner,
};

function errors(
  block: JsonObject,
  isWhole = true,
): readonly Diagnostic<string>[] {
  const found = ["header", "key_id_header", "timestamp_header"]
    .flatMap((key) => nameErrors(block, key, "header field"));
  found.push(...valueErrors(block, "key_id"));
  const { sign } = block;
  if (typeof sign === "string") {
    const doubt = signWarning(sign);
    found.push(...doubt ? [doubt] : [], ...checkSign(sign));
  }
  if (isWhole) found.push(...sameFields(block), ...keyIdErrors(block));
  return found;
}

/** A key id that only one of its keys speaks of. */
function keyIdErrors(
  { sign, key_id: keyId, key_id_header: keyIdHeader }: JsonObject,
): readonly Diagnostic<string>[] {
  if (keyId !== undefined) return [];
  const found: Diagnostic<string>[] = [];
  if ((keyIdHeader ?? KEY_ID) !== KEY_ID) {
    found.push({
      at: "/key_id_header",
      code: "no-effect",
      message: "`key_id_header` has no effect: there is no `key_id`",
      severity: "warning",
    });
  }
  if (String(sign).replaceAll(TEMPLATE, "").includes("{key_id}")) {
    found.push({
      at: "/sign",
      code: "bad-sign",
      message: "`sign` uses `{key_id}`, but there is no `key_id`",
      hint: "add `key_id`, or take the placeholder out",
    });
  }
  return found;
}

/** Texts that a signature is hardly ever made of. */
function signWarning(sign: string): Diagnostic<string> | undefined {
  const at = { at: "/sign", code: "odd-sign", severity: "warning" } as const;
  const escape = /\\[nrt]/.exec(sign)?.[0];
  if (escape !== undefined) {
    return {
      ...at,
      message: `\`sign\` holds \`${escape}\` as two characters`,
      hint: "only double quotes make it a line break or a tab",
    };
  }
  return sign === ""
    ? {
      ...at,
      message: "`sign` is empty: every request has the same signature",
      hint: "leave `sign` out for method, path, time and body",
    }
    : undefined;
}

/** One field cannot carry two of the values. */
function sameFields(block: JsonObject): readonly Diagnostic<string>[] {
  const first = new Map<unknown, string>();
  const keys = ["header", "timestamp_header"];
  if (block.key_id !== undefined) keys.push("key_id_header");
  return keys.flatMap((key) => {
    const name = literalOf(block, key);
    if (name === undefined) return [];
    const twin = first.get(name.toLowerCase());
    first.set(name.toLowerCase(), key);
    return twin === undefined ? [] : [{
      at: child("", key),
      code: "duplicate-header",
      message: `\`${twin}\` and \`${key}\` are the same header, \`${name}\``,
      hint: "name another header for one of them",
    }];
  });
}

function compileSigner(
  block: Block,
  { names, clock }: AuthTools,
): Required<Pick<Authorizer, "sign" | "signs">> {
  const wrong = errors(block).find(isError);
  if (wrong) throw new AuthError(wrong.code, wrong.message);
  const keyFor = compileKey(block, names);
  const keyId = block.key_id === undefined
    ? undefined
    : compileText(block.key_id, names);
  const toSign = compileSign(block.sign);
  const nameOf = (key: "header" | "key_id_header" | "timestamp_header") =>
    fixedName(block[key]!, key, "header field", names);
  const signatureName = nameOf("header");
  const keyIdName = nameOf("key_id_header");
  const timestampName = block.timestamp_header && nameOf("timestamp_header");

  const signs = [signatureName, timestampName, keyId && keyIdName]
    .filter((name) => typeof name === "string");
  const sign = (draft: RequestDraft, scope: Scope) => {
    const timestamp = String(Math.floor(clock.wall() / 1_000));
    const id = keyId?.render(scope) ?? "";
    const signed = signature(
      keyFor(scope),
      toSign(draft, timestamp, id),
      block.encoding,
    );
    const fields: [string, string][] = [[signatureName, signed]];
    if (keyId) fields.push([keyIdName, id]);
    if (timestampName) fields.push([timestampName, timestamp]);
    return fields;
  };
  return { sign, signs };
}

/** The key; an env secret, the only one a flow file can say, is ready before the run. */
function compileKey(
  { secret, algorithm }: Block,
  names: Names,
): (scope: Scope) => SigningKey {
  const template = compileText(secret, names);
  if (template.constant === undefined) {
    return (scope) => signingKey(algorithm, template.render(scope));
  }
  const key = signingKey(algorithm, template.constant);
  return () => key;
}
