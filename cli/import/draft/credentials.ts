import { snakeCase, UniqueNames } from "./names.ts";
import {
  namesCredential,
  parameterNamesCredential,
} from "../../../lib/language/source/credentials.ts";
import {
  isEnvironment,
  referenceOf,
  template,
  textParts,
} from "./template_text.ts";

/** A variable of the environment that a written flow reads. */
export interface EnvVariable {
  /** Of `A` to `Z`, digits and `_` alone. */
  readonly name: string;
  /** Where its value stood, for `.env.example`. */
  readonly about: string;
}

/** A value, and what a template names that stands for it. */
export type NamedValue = readonly [value: string, reference: string];

/** A variable of a collection that has no value. */
const UNKNOWN = /^\{\{.*\}\}$/s;

/** Gives each credential a variable; equal ones have the same. */
export class EnvNames {
  /** The variables of values that are credentials wherever else they are. */
  readonly #secrets = new Map<string, string>();
  /** Those of others, such as user names: one may be equal to its password. */
  readonly #others = new Map<string, string>();
  readonly #about = new Map<string, string>();
  readonly #names = new UniqueNames();

  /** All that were asked for, in that order. */
  get variables(): EnvVariable[] {
    return [...this.#about].map(([name, about]) => ({ name, about }));
  }

  /** Notes variables that a text names already, such as `$TOKEN` of a shell. */
  noteAll(text: string, about: string): void {
    for (const [index, reference] of textParts(text).entries()) {
      if (index % 2 === 0 || !reference.startsWith("env.")) continue;
      const name = reference.slice("env.".length);
      if (!this.#about.has(name)) {
        this.#about.set(this.#names.of(name), about);
      }
    }
  }

  /**
   * The template that stands for a credential. A text that is a variable
   * already stays as it is.
   *
   * @param likeness what the variable is called, if nothing else is
   * @param isSecret whether the value is replaced in other places, too
   */
  templateOf(
    value: string,
    likeness: string,
    about: string,
    isSecret = true,
  ): string {
    if (referenceOf(value) !== undefined) {
      this.noteAll(value, about);
      return value;
    }
    return this.#own(value, likeness, about, isSecret);
  }

  #own(
    value: string,
    likeness: string,
    about: string,
    isSecret: boolean,
  ): string {
    // `refresh_token=refresh_token` says no more than its name.
    const isOwnName = snakeCase(value) === snakeCase(likeness);
    const known = isSecret && !isOwnName ? this.#secrets : this.#others;
    const name = known.get(value) ?? this.#names.of(envName(likeness));
    known.set(value, name);
    if (!this.#about.has(name)) this.#about.set(name, about);
    return template(`env.${name}`);
  }

  /** The template of a credential that no flow takes from a response. */
  fixedTemplateOf(value: string, likeness: string, about: string): string {
    if (referenceOf(value) === undefined || isEnvironment(value)) {
      return this.templateOf(value, likeness, about);
    }
    const why = `${about}: a flow takes it from the environment alone`;
    return this.#own(value, likeness, why, false);
  }

  /** The recorded values of the credentials, by variable; not of those that had none. */
  get recorded(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#secrets, ...this.#others]
        .filter(([value]) => value !== "" && !UNKNOWN.test(value))
        .map(([value, name]) => [name, value]),
    );
  }

  /** Credentials that are replaced wherever they are. */
  get secrets(): NamedValue[] {
    return [...this.#secrets].map(([value, name]) =>
      [value, `env.${name}`] as const
    );
  }
}

/** Words that names of credentials are made of, and few variables of anything else. */
const OWN_WORDS = new Set(
  `ACCESS ACCOUNT API APP AUTH AUTHORIZATION BASIC BEARER CARD CLIENT CODE
   COOKIE CREDENTIAL CREDENTIALS CSRF CVC CVV EMAIL FIELD FORM ID JWT KEY
   LOGIN NEW NONCE NUMBER OLD OTP PARAM PART PASS PASSPHRASE PASSWD PASSWORD
   PATH PHONE PIN PUBLIC PW PWD REFRESH SECRET SESSION SESSIONID SID SIG
   SIGNATURE SSN STATE TOKEN USERNAME VALUE X XSRF`.split(/\s+/),
);

/** Whether a shell, a login or a desktop sets the variable itself. */
export function isOfShells(name: string): boolean {
  return OF_SHELLS.test(name);
}

const OF_SHELLS =
  /^(?:_|PATH|HOME|USER|USERNAME|LOGNAME|SHELL|SHLVL|PWD|OLDPWD|IFS|ENV|BASH\w*|PS\d|TERM\w*|COLUMNS|LINES|LANG|LANGUAGE|LC_\w+|TZ|HOST|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|UID|EUID|GID|PPID|RANDOM|SECONDS|LINENO|OPTARG|OPTIND|MAIL|EMAIL|EDITOR|VISUAL|PAGER|BROWSER|DISPLAY|SESSION|TMP|TEMP|TMPDIR|PROMPT_COMMAND|CI|LD_\w+|DYLD_\w+|XDG_\w+|SSH_\w+|GPG_\w+)$/;

/**
 * A name of upper case and underscores: `X-Api-Key` is `X_API_KEY`. What a
 * recording calls otherwise, such as `AWS_SECRET_KEY`, has a word in front, so
 * that it names no variable that is set for something else; so has what shells set.
 */
function envName(text: string): string {
  const words = snakeCase(text).toUpperCase().slice(0, LONGEST_NAME)
    .replace(/_+$/, "");
  const all = words.split("_");
  if (words === "") return "IMPORTED_VALUE";
  return !isOfShells(words) && all.every((each) => OWN_WORDS.has(each))
    ? words
    : `IMPORTED_${words}`;
}

const LONGEST_NAME = 60;

/** Beginnings by which well-known services mark their keys, and JSON Web Tokens. */
const MARKED =
  /^(?:eyJ[\w-]+\.|sk[-_]|pk[-_]|rk[-_]|gh[pousr]_|github_pat_|xox[a-z]-|glpat-|AKIA|AIza|ya29\.|SG\.|shpat_|npm_|dop_v1_|hf_)/;
/** Long, and of letters in both cases and digits: drawn, not written. */
const RANDOM = /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w-]{24,}$/;

/** A text that looks like a credential wherever it is. */
export function looksLikeCredential(value: string): boolean {
  return MARKED.test(value) || RANDOM.test(value);
}

/** Short names under which people keep credentials and data of cards and persons. */
const SHORT =
  /(?:^|_)(?:pass|pw|pwd|pin|otp|cvv|cvc|ssn|sid|session|session_?id|auth|key|card_?(?:number|no)|cc_?number|iban|pan)$/;
/** Names of credentials, however their words are written: `passWord`, `ApiKEY`, `access-token`. */
const ANYWHERE =
  /(?:password|passwd|passphrase|secret|token|apikey|accesskey|privatekey|credentials?|sessionid|cardnumber)$/;
/** Marks repeats of a request, and opens nothing. */
const HARMLESS = /^(?:x_)?idempotency_?key$/;

function isNamed(name: string): boolean {
  const words = snakeCase(name);
  return !HARMLESS.test(words) &&
    (namesCredential(name) || SHORT.test(words) ||
      ANYWHERE.test(words.replaceAll("_", "")));
}

/** A header or query parameter that carries one, by its name or its value. */
export function isCredential(name: string, value: string): boolean {
  if (HARMLESS.test(snakeCase(name))) return false;
  return isNamed(name) || parameterNamesCredential(name) ||
    looksLikeCredential(value);
}

/** Names of objects whose members are credentials, whatever they are called. */
const HOLDS = /(?:^|_)(?:credentials?|secrets?|auth|passwords?|card)$/;

/**
 * A field of a body that carries one.
 *
 * @param path the names that lead to it, its own among them
 */
export function isCredentialField(
  path: readonly (string | number)[],
  value: string,
): boolean {
  const names = path.filter((each) => typeof each === "string");
  return isNamed(names.at(-1) ?? "") || looksLikeCredential(value) ||
    names.slice(0, -1).some((each) => HOLDS.test(snakeCase(each)));
}
