/*
 * C0 and C1 controls, line and paragraph separators, bidirectional controls
 * (they can make a line read as what it is not), lone surrogates; and what looks
 * like a space or like nothing, so that two texts that differ look different.
 */
const UNPRINTABLE =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]|\p{Cs}/gu;

/** `text` with everything a terminal would obey shown as `\u{1b}`. */
export function escapeControls(text: string): string {
  return text.replaceAll(UNPRINTABLE, (char) => {
    if (char === "\n") return "\\n";
    if (char === "\r") return "\\r";
    if (char === "\t") return "\\t";
    return `\\u{${char.codePointAt(0)!.toString(16)}}`;
  });
}

/*
 * Build servers obey lines of a job's log: GitHub those that begin with `::`
 * behind any white space and `##[` anywhere, Azure `##vso[`, TeamCity
 * `##teamcity[`. What a target or a file says must not give orders.
 */

const AT_THE_START = /^([\s\u0085\u180e]*):(?=:)/gm;
const ANYWHERE = /##(?=\w*\[)/g;

/** A text for a log: commands in it show as what they are, and are none. */
export function withoutCommands(text: string): string {
  return text.replaceAll(AT_THE_START, "$1\\u{3a}")
    .replaceAll(ANYWHERE, "#\\u{23}");
}

/** JSON text for a log; no line of it begins with a colon. What it says stays. */
export function jsonWithoutCommands(json: string): string {
  return json.replaceAll(ANYWHERE, "#\\u0023");
}

/** Enough of a value for the report of a failure. */
const LONGEST = 200;

/**
 * A text of at most `most` characters. What was left out shows as `…`, which is
 * where redaction looks for a part of a secret: code that cuts a text that is
 * stored, cuts it with this.
 */
export function shortened(text: string, most: number = LONGEST): string {
  if (text.length <= most) return text;
  // Half a surrogate pair is no character.
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** A text as one word of a shell's command line, in quotes. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text as one word of a shell's command line, without quotes where it needs none. */
export function shellWord(text: string): string {
  return /^[\p{L}\p{N}_@%+=:,./-]+$/u.test(text) ? text : shellQuoted(text);
}
