import { template } from "../draft/template_text.ts";

/** One command of a shell script. */
export interface ShellCommand {
  /** With a template where the shell would put a variable. */
  readonly words: readonly string[];
  /** 1-based, of its first word. */
  readonly line: number;
  /** What a here-document feeds into it. */
  readonly stdin?: string;
  /** Whether it reads what the command before it prints. */
  readonly piped: boolean;
}

/** The template for a variable of a shell. */
export function shellVariable(name: string): string {
  return template(`env.${name.toUpperCase()}`);
}

/** Whether a command was written for cmd.exe: browsers copy it so on Windows. */
export function isForCmd(script: string): boolean {
  return /\^\r?\n|\^"/.test(script);
}

/**
 * Splits commands of cmd.exe: first its carets, then the quotes and backslashes
 * of the program's own arguments. `%NAME%` becomes a template, but for what is a
 * character of a URL, such as `%C3%`.
 */
export function cmdCommands(script: string): ShellCommand[] {
  // Before the carets: `^%NAME^%` is text.
  const expanded = script.replaceAll("\r\n", "\n").replaceAll(
    /%(?![\dA-Fa-f]{2}%)([A-Za-z_]\w*)%/g,
    (_, name: string) => shellVariable(name),
  );
  const lines = withoutCarets(expanded);
  return lines.flatMap(({ text, line }) =>
    text.split(SEPARATOR).map((each) => ({
      words: argumentsOf(each),
      line,
      piped: false,
    }))
  ).filter(({ words }) => words.length > 0);
}

/** Outside of quotes: carets have been used up by then. */
const SEPARATOR = /\s+&+\s+(?=curl)/;

interface Line {
  readonly text: string;
  readonly line: number;
}

/**
 * Commands with their carets taken off: `^x` is `x`, a caret at the end of a
 * line goes on with the next, and one before an empty line is a line break.
 */
function withoutCarets(script: string): Line[] {
  const commands: Line[] = [];
  let text = "";
  let line = 1;
  let first = 1;
  let quoted = false;
  for (let at = 0; at < script.length; at++) {
    const here = script[at]!;
    if (here === "\n") line++;
    if (here === "^" && !quoted) {
      const next = script[++at] ?? "";
      if (next !== "\n") text += next;
      else {
        line++;
        if (script[at + 1] === "\n") {
          text += "\n";
          line++;
          at++;
        }
      }
    } else if (here === "\n" && !quoted) {
      commands.push({ text, line: first });
      text = "";
      first = line;
    } else {
      if (here === '"') quoted = !quoted;
      text += here;
    }
  }
  return [...commands, { text, line: first }];
}

/** As the C run-time of Windows splits them. */
function argumentsOf(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quoted = false;
  for (let at = 0; at < text.length;) {
    const slashes = /^\\*/.exec(text.slice(at, at + 256))![0].length;
    if (slashes > 0) {
      const beforeQuote = text[at + slashes] === '"';
      word = (word ?? "") +
        "\\".repeat(beforeQuote ? slashes >> 1 : slashes);
      at += slashes;
      if (beforeQuote && slashes % 2 === 1) {
        word += '"';
        at++;
      }
      continue;
    }
    const here = text[at++]!;
    if (here === '"') {
      if (quoted && text[at] === '"') {
        word += '"';
        at++;
      } else {
        quoted = !quoted;
        word ??= "";
      }
    } else if (/\s/.test(here) && !quoted) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + here;
  }
  if (word !== undefined) words.push(word);
  return words;
}
