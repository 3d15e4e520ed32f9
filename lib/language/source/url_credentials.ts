import type { Range } from "./conceal.ts";
import { parameterNamesCredential } from "./credential_names.ts";

/** The user and the password of a URL, with and without its scheme. */
const USERINFO =
  /(?<=:\/\/)[^\s/?#"'`{}]+(?=@)|(?<=^|[\s"'`,[(])[^\s/?#:@"'`{}]+:[^\s/?#@"'`{}]+(?=@[\w[])/gm;

/** What may hold them: they end at no such character. */
const RUN = /[^\s/?#"'`{}]+/g;
/** A longer run is hidden to its last `@`: looking into it takes its square. */
const LONGEST_RUN = 512;
const SCHEME_END = "://".length;

/** The name of a query parameter. */
const PARAMETER = /[?&]([\w.~%[\]-]+)=/g;

/** A value that is no literal. */
const TEMPLATE = /^\{\{[^{}]*\}\}(?=[&#\s"'`]|$)/;
const LONGEST_TEMPLATE = 200;

/** Where a text that may quote URLs shows who they are for. */
export function urlCredentials(text: string): Range[] {
  return [...userinfo(text), ...parameters(text, /[\s"'`,{}]|$/g)];
}

/** The same in a text that is at most one URL. */
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

/** From the value on to the end of the URL: a literal may hold `&` and `#`. */
function parameters(text: string, end: RegExp): Range[] {
  const found: Range[] = [];
  let covered = 0;
  for (const { 0: all, 1: name, index } of text.matchAll(PARAMETER)) {
    if (index < covered || !parameterNamesCredential(name!)) continue;
    const from = index + all.length;
    if (TEMPLATE.test(text.slice(from, from + LONGEST_TEMPLATE))) continue;
    end.lastIndex = from;
    covered = end.exec(text)!.index;
    found.push([from, covered]);
  }
  return found;
}
