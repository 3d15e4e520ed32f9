import { snakeCase, UniqueNames } from "./names.ts";
import {
  namesCredential,
  parameterNamesCredential,
} from "../../../lib/language/source/credentials.ts";

/** A variable of the environment that a written flow reads. */
export interface EnvVariable {
  readonly name: string;
  /** Where its value stood, for `.env.example`. */
  readonly about: string;
}

/** Gives each credential a variable; equal values have the same one. */
export class EnvNames {
  readonly #byValue = new Map<string, string>();
  readonly #about = new Map<string, string>();
  readonly #names = new UniqueNames();

  /** All that were asked for, in that order. */
  get variables(): EnvVariable[] {
    return [...this.#about].map(([name, about]) => ({ name, about }));
  }

  /** Notes variables that a text names already, such as `$TOKEN` of a shell. */
  noteAll(text: string, about: string): void {
    for (const [, name] of text.matchAll(ENV_TEMPLATE)) {
      if (!this.#about.has(name!)) {
        this.#about.set(this.#names.of(name!), about);
      }
    }
  }

  /**
   * The template that stands for a credential. A text that is a variable
   * already stays as it is.
   *
   * @param likeness what the variable is called, if nothing else is
   */
  templateOf(value: string, likeness: string, about: string): string {
    if (WHOLE_TEMPLATE.test(value)) {
      this.noteAll(value, about);
      return value;
    }
    const name = this.#byValue.get(value) ??
      this.#names.of(envName(likeness));
    this.#byValue.set(value, name);
    if (!this.#about.has(name)) this.#about.set(name, about);
    return `{{ env.${name} }}`;
  }

  /** Credentials seen so far, longest first. */
  get values(): readonly (readonly [value: string, name: string])[] {
    return [...this.#byValue].sort(([a], [b]) => b.length - a.length);
  }
}

const ENV_TEMPLATE = /\{\{ env\.([A-Za-z_][A-Za-z0-9_]*) \}\}/g;
const WHOLE_TEMPLATE = /^\{\{ [^{}]+ \}\}$/;

/** Upper case with underscores: `X-Api-Key` is `X_API_KEY`. */
function envName(text: string): string {
  const words = snakeCase(text).toUpperCase();
  return /^[A-Z]/.test(words) ? words : words === "" ? "VALUE" : `V_${words}`;
}

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
