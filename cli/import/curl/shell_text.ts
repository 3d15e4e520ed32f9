import { Refused } from "../../../lib/base/errors/bench_error.ts";

/** Behind the name of a variable, up to the brace that closes it: others may be in it. */
const BEHIND = String.raw`(?:[^}$]|\$\{[^{}]*\}|\$(?!\{))*`;
/** A variable, in braces or without, and its default. */
export const VARIABLE = new RegExp(
  String
    .raw`\$(?:([A-Za-z_]\w*|[1-9])|\{([A-Za-z_]\w*|[1-9])(?::?[=-](${BEHIND})|[:?+]${BEHIND})?\})`,
  "y",
);

export function unclosed(line: number, quote: string): Refused {
  return new Refused(
    `line ${line}: the ${quote} quote is not closed`,
    "in a shell, give the command between quotes it does not have inside, or on standard input",
  );
}

/** Where the `)` is that closes what is open at `from`; -1 where there is none. */
export function closing(text: string, from: number): number {
  let quote = "";
  let open = 1;
  for (let at = from; at < text.length; at++) {
    const here = text[at]!;
    if (here === "\\" && quote !== "'") at++;
    else if (quote !== "") quote = here === quote ? "" : quote;
    else if (here === "'" || here === '"') quote = here;
    else if (here === "#" && /\s/.test(text[at - 1] ?? "")) {
      const end = text.indexOf("\n", at);
      if (end < 0) return -1;
      at = end;
    } else if (here === "(") open++;
    else if (here === ")" && --open === 0) return at;
  }
  return -1;
}

const NAMED: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};
const ESCAPE =
  /\\(?:u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|x([0-9a-fA-F]{1,2})|([0-7]{1,3})|([\s\S]))/g;

/** The text that `$'...'` of bash stands for. */
export function ansiText(text: string): string {
  const plain = text.replaceAll(
    ESCAPE,
    (_, short, long, byte, octal, other: string | undefined) => {
      const hex = short ?? long ?? byte;
      if (hex !== undefined) return character(parseInt(hex, 16));
      if (octal !== undefined) return character(parseInt(octal, 8));
      return NAMED[other!] ?? other!;
    },
  );
  // Half a character cannot be written into a file.
  return plain.toWellFormed();
}

function character(code: number): string {
  return code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
}

/** A command that browsers copied for cmd.exe: carets before quotes and line ends. */
const FOR_CMD = /\^\r?\n|(?:^|\s)\^"/;
/** A line that goes on as PowerShell has it, with an option: in bash no command begins with one. */
const FOR_POWERSHELL = /\s`[ \t]*\r?\n\s*-/;

/** @throws {Refused} for a command of cmd.exe or PowerShell */
export function refuseOtherShells(script: string): void {
  if (FOR_CMD.test(script)) {
    throw new Refused(
      "this command was copied for cmd.exe",
      "copy it as cURL (bash), which browsers offer on Windows too",
    );
  }
  if (FOR_POWERSHELL.test(script)) {
    throw new Refused(
      "this command was written for PowerShell: its lines end with a backtick",
      "end them with \\, as bash does, or write it in one line",
    );
  }
}
