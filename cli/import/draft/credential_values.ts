import {
  namesCredential,
  parameterNamesCredential,
} from "../../../lib/language/source/credential_names.ts";

/** Beginnings by which well-known services mark their keys, and JSON Web Tokens. */
const MARKED =
  /^(?:eyJ[\w-]+\.|sk[-_]|pk[-_]|rk[-_]|gh[pousr]_|github_pat_|xox[a-z]-|glpat-|AKIA|AIza|ya29\.|SG\.|shpat_|npm_|dop_v1_|hf_)/;
/** Long, and of letters in both cases and digits: drawn, not written. */
const RANDOM = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w-]{24,}$/;

/** A text that looks like a credential wherever it is. */
export function looksLikeCredential(value: string): boolean {
  return MARKED.test(value) || RANDOM.test(value);
}

/** A header or query parameter that carries one, by its name or its value. */
export function isCredential(name: string, value: string): boolean {
  if (/^idempotency-key$/i.test(name)) return false;
  return parameterNamesCredential(name) || looksLikeCredential(value);
}

/** A field of a body that carries one. */
export function isCredentialField(name: string, value: string): boolean {
  return namesCredential(name) || /(?:^|_)(?:pin|otp|cvv|cvc)$/i.test(name) ||
    looksLikeCredential(value);
}
