import {
  conceal,
  hiddenRanges,
  type Hiding,
  parseLeniently,
  type Range,
} from "./conceal.ts";

/** Names under which people keep credentials, whatever stands there. */
const CREDENTIAL =
  /(?:^|[_-])(?:token|password|passwd|secret|api[_-]?key|authorization|cookie)$/i;

/** What a body or a header may say, but a log should not. */
const likely: Hiding = {
  at: (path, scalar) =>
    scalar !== undefined && !scalar.includes("{{") &&
    !path.includes("extract") &&
    CREDENTIAL.test(path.at(-1) ?? ""),
  key: (key) => CREDENTIAL.test(key),
};

/** Most files have no such key, and are not read again. */
const LIKELY =
  /(?:token|password|passwd|secret|api[_-]?key|authorization|cookie)["']?\s*:/i;

/** The user and the password of a URL, with and without its scheme. */
const USERINFO =
  /(?<=:\/\/)[^\s/?#"'`{}]+(?=@)|(?<=^|[\s"'`,[(])[^\s/?#:@"'`{}]+:[^\s/?#@"'`{}]+(?=@[\w[])/gm;

/**
 * The text of a flow or target file as frames show it: of the same shape, with
 * dots for literals that look like credentials. They may be legal there, but
 * whoever reads about a mistake beside them has no business with them.
 */
export function frameText(text: string): string {
  return conceal(text, [...likelyRanges(text), ...userinfoRanges(text)]);
}

/** A message that may quote a URL, without the user in it. */
export function withoutUserinfo(message: string): string {
  return conceal(message, userinfoRanges(message));
}

function likelyRanges(text: string): Range[] {
  if (!LIKELY.test(text)) return [];
  const document = parseLeniently(text);
  // Nested too deep to be read: that is the mistake that is shown.
  return document ? hiddenRanges(document, text, likely) : [];
}

function userinfoRanges(text: string): Range[] {
  return [...text.matchAll(USERINFO)].map(({ 0: user, index }) =>
    [index, index + user.length] as const
  );
}
