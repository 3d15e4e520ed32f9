import type { FlagOutline, ProgramOutline } from "./completion_outline.ts";

/** A fish script for `~/.config/fish/completions/bench.fish`. */
export function fishScript({ flags, commands }: ProgramOutline): string {
  const lines = [
    "# fish completion of bench: bench completions fish > ~/.config/fish/completions/bench.fish",
    ...flags.map((flag) => flagLine("__fish_use_subcommand", flag)),
  ];
  for (const { name, about, flags, places } of commands) {
    const inside = `__fish_seen_subcommand_from ${name}`;
    lines.push(
      `complete -c bench -n __fish_use_subcommand -f -a ${name} -d ${
        quoted(about)
      }`,
      ...flags.map((flag) => flagLine(inside, flag)),
      ...places.filter((words) => words.length > 0).map((words) =>
        `complete -c bench -n ${quoted(inside)} -f -a ${
          quoted(words.join(" "))
        }`
      ),
    );
  }
  return `${lines.join("\n")}\n`;
}

function flagLine(
  condition: string,
  { long, short, about, value, words }: FlagOutline,
): string {
  return [
    `complete -c bench -n ${quoted(condition)}`,
    ...(short ? [`-s ${short.slice(1)}`] : []),
    `-l ${long.slice(2)}`,
    ...(value === undefined
      ? []
      : words.length > 0
      ? [`-x -a ${quoted(words.join(" "))}`]
      : ["-r"]),
    `-d ${quoted(about)}`,
  ].join(" ");
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}
