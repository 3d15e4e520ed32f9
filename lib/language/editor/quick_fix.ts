import { editDistance } from "../../base/text/suggest.ts";
import type { TextChange } from "./suggestion.ts";

/** The text of a diagnostic, and the part of a line that it is about. */
interface Flaw {
  readonly message: string;
  readonly hint: string;
  readonly line: string;
  /** Offsets in the line. */
  readonly start: number;
  readonly end: number;
}

/**
 * Changes of the line that do what the hint advises, one or another: another
 * word for the wrong one, or quotes. None where the hint names no text.
 */
export function quickFixes(flaw: Flaw): TextChange[] {
  return meantBy(flaw.hint).flatMap((text) => replacement(flaw, text) ?? [])
    .concat(quoting(flaw) ?? []);
}

/**
 * The line that makes a flow file one of version 1, for a hint that asks for it:
 * before the first key, or in place of another version.
 *
 * @param text the file's text; the change counts from its start
 */
export function versionFix(hint: string, text: string): TextChange | undefined {
  if (!hint.endsWith("add `version: 1`")) return;
  const written = /^version[ \t]*:[^\r\n]*/m.exec(text);
  const start = written?.index ??
    /^\ufeff?(?:[ \t]*(?:#[^\n]*)?\r?\n|%[^\n]*\n|---[ \t]*\r?\n)*/.exec(
      text,
    )![0]
      .length;
  const end = start + (written?.[0].length ?? 0);
  return { start, end, text: written ? "version: 1" : "version: 1\n" };
}

/** The texts that a hint offers in place of what is written. */
function meantBy(hint: string): string[] {
  const [, meant] = /^did you mean (\S.*?)\?(?: |$)/.exec(hint) ??
    /^for the value write (\{\{ [^<]*? \}\}),/.exec(hint) ?? [];
  // Dots are in the place of a word that is a credential elsewhere in the file.
  if (meant === undefined || meant.includes("•")) return [];
  const [, , quoted] = /^(["`])(.*)\1$/.exec(meant) ?? [];
  return quoted === undefined ? meant.split(" or ") : [quoted];
}

/** `text` in place of the part that is nearest to it. */
function replacement(
  { message, line, start, end }: Flaw,
  text: string,
): TextChange | undefined {
  const written = line.slice(start, end);
  const wrong = [...wordsOf(message), ...rootsOf(written), bare(written)]
    .filter((each) => each !== "" && written.includes(each))
    .toSorted((a, b) => editDistance(a, text) - editDistance(b, text))[0];
  if (wrong === undefined) return;
  const from = start + written.indexOf(wrong);
  const to = from + wrong.length;
  const space = /\w$/.test(text) && /^\w/.test(line.slice(to, end)) ? " " : "";
  return { start: from, end: to, text: text + space };
}

/** The names that a message quotes, in its order. */
function wordsOf(message: string): string[] {
  return [...message.matchAll(/`([^`]+)`|"([^"]+)"|(\{\{[^}]*\}\})/g)]
    .map(([, ticks, quotes, template]) => ticks ?? quotes ?? template!);
}

/** The first names of templates, which a hint may be about. */
function rootsOf(written: string): string[] {
  return [...written.matchAll(/\{\{\s*([A-Za-z_][\w-]*)/g)]
    .map(([, root]) => root!);
}

function bare(written: string): string {
  return written.replace(/^(["'])(.*)\1$/, "$2");
}

/** The quoted text at the end of a hint, where the line has it without quotes. */
function quoting({ hint, line, start }: Flaw): TextChange | undefined {
  const [, quoted] =
    /\bquotes?\b[^:]*: ("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(hint) ?? [];
  if (quoted === undefined) return;
  const mark = quoted[0]!;
  const inside = quoted.slice(1, -1).replaceAll(mark + mark, mark);
  const at = line.lastIndexOf(inside, start);
  const from = at < 0 ? line.indexOf(inside) : at;
  // What has quotes already needs something else.
  if (inside === "" || from < 0 || line[from - 1] === mark) return;
  return { start: from, end: from + inside.length, text: quoted };
}
