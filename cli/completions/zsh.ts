import script from "./bench.zsh" with { type: "text" };
import {
  filled,
  type FlagOutline,
  FLOW_ENDINGS,
  type Place,
  type ProgramOutline,
  TARGET_ENDINGS,
} from "./outline.ts";

/** A zsh script, to be sourced or put into a folder of `$fpath`. */
export function zshScript({ flags, commands }: ProgramOutline): string {
  const about = commands.map(({ name, about }) =>
    `    ${quoted(`${name}:${about.replaceAll(":", "\\:")}`)}\n`
  ).join("");
  const cases = commands.map(({ name, flags, places }) => {
    const specs = [
      ...flags.map(flagSpec),
      ...places.map((place, index) =>
        quoted(`${index + 1}:${called(place)}:${action(place)}`)
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

function called({ kind }: Place): string {
  return kind === "words" ? "argument" : kind;
}

/** What offers the words of a place; the name alone where nothing can be known. */
function action(place: Place): string {
  switch (place.kind) {
    case "words":
      return `(${place.words.join(" ")})`;
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
