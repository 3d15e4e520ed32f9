import script from "./bench.zsh" with { type: "text" };
import {
  type Completion,
  filled,
  type FlagOutline,
  FLOW_ENDINGS,
  type ProgramOutline,
  TARGET_ENDINGS,
} from "./outline.ts";

/** A zsh script, to be sourced or put into a folder of `$fpath`. */
export function zshScript({ flags, commands }: ProgramOutline): string {
  const about = commands.map(({ name, about }) =>
    `    ${quoted(`${name}:${about.replaceAll(":", "\\:")}`)}\n`
  ).join("");
  const cases = commands.map(({ name, flags, operands }) => {
    const specs = [
      ...flags.map(flagSpec),
      ...operands.map((operand, index) =>
        quoted(`${index + 1}:${called(operand)}:${action(operand)}`)
      ),
    ];
    return `    ${name}) _arguments ${specs.join(" \\\n      ")} ;;\n`;
  }).join("");
  return filled(script, {
    target_endings: TARGET_ENDINGS.join("|"),
    target_files: glob(TARGET_ENDINGS),
    commands: about,
    flags: flags.map(flagSpec).join(" \\\n    "),
    cases,
  });
}

function flagSpec({ long, short, about, value }: FlagOutline): string {
  const text = `[${about.replaceAll(/[[\]\\:]/g, "\\$&")}]`;
  const rest = value === undefined
    ? text
    : `${text}:${value.name.replaceAll(":", "\\:")}:${action(value)}`;
  const sign = value === undefined ? "" : "=";
  return short
    ? `'(${short} ${long})'{${short},${long}${sign}}${quoted(rest)}`
    : quoted(long + sign + rest);
}

function called({ kind }: Completion): string {
  return kind === "words" ? "argument" : kind;
}

/** What offers the words of an operand or a value; the name alone where nothing can be known. */
function action(operand: Completion): string {
  switch (operand.kind) {
    case "words":
      return `(${operand.words.join(" ")})`;
    case "file":
      return "_files";
    case "folder":
      return "_files -/";
    case "flow":
      return `_files -g "${glob(FLOW_ENDINGS)}"`;
    case "target":
      return "_bench_targets";
    case "run":
      return "_bench_runs";
    case "text":
      return " ";
  }
}

/** Files, or links to files, with one of these endings. */
function glob(endings: readonly string[]): string {
  return `*.(${endings.join("|")})(-.)`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
