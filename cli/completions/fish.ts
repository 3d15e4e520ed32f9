import script from "./bench.fish" with { type: "text" };
import {
  type Completion,
  filled,
  type FlagOutline,
  flagsWithValue,
  FLOW_ENDINGS,
  type ProgramOutline,
  TARGET_ENDINGS,
} from "./outline.ts";

/** A fish script. */
export function fishScript(program: ProgramOutline): string {
  const { flags, commands } = program;
  const lines = [
    "complete -c bench -f",
    ...flags.map((flag) => flagLine("", flag)),
    ...commands.map(({ name, about }) =>
      `${inside("''")} -a ${name} -d ${quoted(about)}`
    ),
    ...commands.flatMap(({ name, flags, operands }) => [
      ...flags.map((flag) => flagLine(name, flag)),
      ...operands.map((operand, index) =>
        `${inside(`${name} ${index + 1}`)} ${offer(operand)}`
      ),
    ]),
  ];
  return filled(script, {
    flags_with_value: flagsWithValue(program).join(" "),
    target_endings: TARGET_ENDINGS.join(" "),
    completions: lines.join("\n"),
  });
}

function flagLine(
  command: string,
  { long, short, about, value }: FlagOutline,
): string {
  return [
    inside(command || "''"),
    ...(short ? [`-s ${short.slice(1)}`] : []),
    `-l ${long.slice(2)}`,
    ...(value ? [`-r ${offer(value)}`] : []),
    `-d ${quoted(about)}`,
  ].join(" ");
}

function inside(command: string): string {
  return `complete -c bench -n ${quoted(`__bench_in ${command}`)}`;
}

/** What offers the words of an operand or a value; nothing where nothing can be known. */
function offer(operand: Completion): string {
  switch (operand.kind) {
    case "words":
      return `-f -a ${quoted(operand.words.join(" "))}`;
    case "file":
      return "-F";
    case "folder":
      return "-f -a '(__bench_folders)'";
    case "flow":
      return `-f -a '(__bench_files ${FLOW_ENDINGS.join(" ")})'`;
    case "target":
      return "-f -a '(__bench_targets)'";
    case "run":
      return "-f -k -a '(__bench_runs)'";
    case "text":
      return "-f";
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}
