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
