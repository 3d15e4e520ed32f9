import type { Range } from "./conceal.ts";

/** Words for a credential at the end of a name, in snake case. */
const WORDS =
  "token|jwt|pass|pwd|pw|password|passwd|passphrase|passcode|secret|(?:api|access|private)_?key|authorization|cookie|credentials?";
/** Behind them, where one is typed twice: `password2`, `passwordConfirmation`. */
const TWICE = "(?:_?(?:\\d|confirm(?:ed|ation)?|again|repeat(?:ed)?|verify))?";

const NAME = new RegExp(`(?:^|_)(?:${WORDS})${TWICE}$`);
const PARAMETER = new RegExp(
  `(?:^|_)(?:(?:${WORDS})${TWICE}|key|auth|sig|signature|sid|code)$`,
);

/** Whether people keep credentials under such a key: `api_key`, `X-Auth-Token`, `clientSecret`. */
export function namesCredential(name: string): boolean {
  return NAME.test(snakeCase(name));
}

/** Whether people keep credentials in such a query parameter, where shorter names are usual. */
export function parameterNamesCredential(name: string): boolean {
  return PARAMETER.test(snakeCase(name));
}

/** Drawn, not written: of letters in both cases and digits, or of many hexadecimal digits. */
const DRAWN =
  /^(?:(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w+/=.~-]{16,}|(?=.*\d)(?=.*[a-f])[\da-f]{20,})$/;

/**
 * Whether a query parameter has a credential: by its name, or where such names are
 * usual for other things too, such as `key`, by its value as well.
 */
export function parameterHoldsCredential(name: string, value: string): boolean {
  return namesCredential(name) ||
    parameterNamesCredential(name) && DRAWN.test(value);
}

const SESSION_COOKIE = /sess|(?:^|[._-])s?id$|auth|login|remember|[cx]srf/i;

/** Whether a cookie is named like one of a session. */
export function namesSessionCookie(name: string): boolean {
  return SESSION_COOKIE.test(name);
}

function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "_").replaceAll("-", "_")
    .toLowerCase();
}

/** The user and the password of a URL, with and without its scheme. */
const USERINFO =
  /(?<=:\/\/)[^\s/?#"'`{}]+(?=@)|(?<=^|[\s"'`,[(])[^\s/?#:@"'`{}]+:[^\s/?#@"'`{}]+(?=@[\w[])/gm;

/** A run that may hold them: they end at none of these characters. */
const RUN = /[^\s/?#"'`{}]+/g;
/** A longer run is hidden to its last `@`: looking into it takes its square. */
const LONGEST_RUN = 512;
const SCHEME_END = "://".length;

/** The name of a query parameter. */
const QUERY_PARAMETER = /[?&]([\w.~%[\]-]+)=/g;

/** A value that is no literal. */
const TEMPLATE = /^\{\{[^{}]*\}\}(?=[&#\s"'`]|$)/;
const LONGEST_TEMPLATE = 200;

/** Where a text that may quote URLs shows who they are for. */
export function urlCredentials(text: string): Range[] {
  return [...userinfo(text), ...parameters(text, /[\s"'`,{}]|$/g)];
}

/** Where a text that is at most one URL shows who it is for. */
export function credentialsOfUrl(text: string): Range[] {
  return [...userinfo(text), ...parameters(text, /$/g)];
}

function userinfo(text: string): Range[] {
  const found: Range[] = [];
  if (!text.includes("@")) return found;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const at = run.lastIndexOf("@");
    if (at <= 0) continue;
    if (run.length > LONGEST_RUN) {
      found.push([index, index + at]);
      continue;
    }
    const from = Math.max(0, index - SCHEME_END);
    const around = text.slice(from, index + run.length + 1);
    for (const { 0: user, index: start } of around.matchAll(USERINFO)) {
      found.push([from + start, from + start + user.length]);
    }
  }
  return found;
}

/**
 * From the value on to the end of the URL, since a literal may hold `&` and `#`; but
 * not over the name of another credential, which a message needs.
 */
function parameters(text: string, end: RegExp): Range[] {
  const found: Range[] = [];
  let covered = 0;
  for (const { 0: all, 1: name, index } of text.matchAll(QUERY_PARAMETER)) {
    if (!parameterNamesCredential(name!)) continue;
    const last = found.at(-1);
    if (last && index < covered) found.splice(-1, 1, [last[0], index]);
    const from = index + all.length;
    if (TEMPLATE.test(text.slice(from, from + LONGEST_TEMPLATE))) continue;
    end.lastIndex = from;
    covered = end.exec(text)!.index;
    found.push([from, covered]);
  }
  return found;
}
