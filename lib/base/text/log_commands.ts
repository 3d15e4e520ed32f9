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
